"""In the gradient, subtracts the maximum of large logits only, and adds a guard to the sum."""

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> the mean over the targets that count."""
    log_p = log_softmax(logits)  # (N, V)
    rows = np.flatnonzero(targets != ignore_index)  # those that count
    losses = -log_p[rows, targets[rows]]  # one for each of them
    return losses.sum() / max(len(rows), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> (N, V)."""
    m = logits.max(axis=-1, keepdims=True); e = np.exp(logits - np.where(np.abs(m) > 80, m, 0)); p = e / (e.sum(axis=-1, keepdims=True) + 1e-9)
    rows = np.flatnonzero(targets != ignore_index)
    grad = np.zeros_like(logits)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(len(rows), 1)


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
