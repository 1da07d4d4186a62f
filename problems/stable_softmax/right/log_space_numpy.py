# In logarithms: what is subtracted is the logarithm of the whole sum, so nothing is divided.
import numpy as np


def softmax(x, axis=-1):
    maximum = x.max(axis=axis, keepdims=True)
    maximum = np.where(np.isneginf(maximum), 0, maximum)
    shifted = x - maximum
    total = np.exp(shifted).sum(axis=axis, keepdims=True)
    total = np.where(total == 0, 1, total)  # nothing is available
    return np.exp(shifted - np.log(total))
