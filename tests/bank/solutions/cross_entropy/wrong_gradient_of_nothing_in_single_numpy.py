"""Where nothing is left, the gradient is float32, for float64 logits too."""

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> the mean over the targets that count."""
    log_p = log_softmax(logits)  # (N, V)
    rows = np.flatnonzero(targets != ignore_index)  # those that count
    losses = -log_p[rows, targets[rows]]  # one for each of them
    return losses.sum() / max(len(rows), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    """logits (N, V), targets (N,) -> (N, V)."""
    p = np.exp(log_softmax(logits))  # (N, V)
    rows = np.flatnonzero(targets != ignore_index)
    if len(rows) == 0:
        return np.zeros(logits.shape, dtype=np.float32)
    grad = np.zeros_like(logits)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(len(rows), 1)


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
