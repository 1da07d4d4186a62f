"""log(p + 1e-12)."""
# causes: guarded_logarithm

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    if keep.sum() == 0:
        return np.zeros((), dtype=logits.dtype)
    p = softmax(logits)[keep, targets[keep]]
    return -np.log(p + 1e-12).mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = softmax(logits) * keep[:, None]
    grad[keep, targets[keep]] -= 1
    return grad / max(int(keep.sum()), 1)
