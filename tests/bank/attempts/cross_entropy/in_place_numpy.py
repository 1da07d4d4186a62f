"""-= for the maximum."""
# causes: shifted_in_place

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    logits -= logits.max(axis=-1, keepdims=True)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    rows = np.nonzero(targets != ignore_index)[0]
    return -log_p[rows, targets[rows]].sum() / max(rows.size, 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    logits -= logits.max(axis=-1, keepdims=True)
    e = np.exp(logits)
    p = e / e.sum(axis=-1, keepdims=True)
    rows = np.nonzero(targets != ignore_index)[0]
    grad = np.zeros_like(p)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(rows.size, 1)
