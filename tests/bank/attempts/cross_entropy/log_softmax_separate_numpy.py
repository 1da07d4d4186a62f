"""softmax, then log."""
# causes: logarithm_of_a_softmax

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = softmax(logits)[keep, targets[keep]]
    return -np.log(p).sum() / max(len(p), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = softmax(logits)
    grad[np.arange(len(targets))[keep], targets[keep]] -= 1
    grad[~keep] = 0
    return grad / max(int(keep.sum()), 1)
