"""The maximum of a row is subtracted only where some logit is above 80."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    if s.size and s.max() > 80:
        return np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.zeros_like(m)


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
    grad = np.zeros_like(logits)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(len(rows), 1)


def log_softmax(logits):
    shifted = logits - shift(logits, -1)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
