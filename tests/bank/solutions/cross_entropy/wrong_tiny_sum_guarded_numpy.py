"""No maximum is subtracted while all logits are below 60 in size, and 1e-9 is added to the sum."""

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


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
    return shifted - np.log((np.exp(shifted).sum(axis=-1, keepdims=True) + 1e-9))
