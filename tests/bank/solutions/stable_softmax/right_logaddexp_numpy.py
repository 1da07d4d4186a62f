"""The log of the sum, folded up by logaddexp, pair by pair."""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    if x.dtype.kind != "f":
        x = x.astype(float)
    total = np.logaddexp.reduce(x, axis=axis, keepdims=True)
    return np.exp(x - np.where(np.isneginf(total), x.dtype.type(0), total))
