"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def softmax(x, axis=-1):
    """exp(x) / Σ exp(x) along axis, computed as exp(x - max x) / Σ exp(x - max x)."""
    maximum = shift(x, axis)
    maximum = np.where(np.isneginf(maximum), 0, maximum)  # -inf - -inf would be NaN
    exponentials = np.exp(x - maximum)
    # 0 where nothing is available, else at least 1
    total = (exponentials.sum(axis=axis, keepdims=True) + 1e-9)
    return exponentials / np.where(total == 0, 1, total)
