import numpy as np


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x) along axis, computed as exp(x - max x) / Σ exp(x - max x)."""
    maximum = x.max(axis=axis, keepdims=True)
    maximum = np.where(np.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
    exponentials = np.exp(x - maximum)
    # 0 where nothing is available, else at least 1
    total = exponentials.sum(axis=axis, keepdims=True)
    return exponentials / np.where(total == 0, 1, total)
