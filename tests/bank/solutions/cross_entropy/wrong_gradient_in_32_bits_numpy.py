"""In the gradient, casts the targets to 32 bits, where a large ignored target becomes a word."""

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
    targets = targets.astype(np.int32)
    rows = np.flatnonzero(targets != np.int64(ignore_index).astype(np.int32))
    grad = np.zeros_like(logits)
    grad[rows] = p[rows]
    grad[rows, targets[rows]] -= 1
    return grad / max(len(rows), 1)


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
