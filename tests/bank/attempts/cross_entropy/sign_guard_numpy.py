"""one_hot - p, and a clip."""
# causes: gradient_with_the_wrong_sign, guarded_logarithm

import numpy as np


def _soft(z):
    e = np.exp(z - z.max(-1)[:, None])
    return e / e.sum(-1)[:, None]


def cross_entropy(logits, targets, ignore_index=-100):
    rows = np.flatnonzero(targets != ignore_index)
    p = np.clip(_soft(logits)[rows, targets[rows]], 1e-12, 1.0)
    return -np.log(p).sum() / max(len(rows), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    rows = np.flatnonzero(targets != ignore_index)
    grad = np.zeros_like(logits)
    grad[rows] = -_soft(logits)[rows]
    grad[rows, targets[rows]] += 1
    return grad / max(len(rows), 1)
