"""In the gradient, a negative ignore_index counts from the end, so that a word is ignored too."""

import numpy as np


def log_softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    words = np.where(keep, targets, 0)
    losses = -log_softmax(logits)[np.arange(len(words)), words]
    return np.where(keep, losses, 0).sum() / max(keep.sum(), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    N, V = logits.shape
    counts = np.ones(V, dtype=logits.dtype)
    if -V <= ignore_index < V:
        counts[ignore_index] = 0
    inside = (targets >= 0) & (targets < V)
    words = np.where(inside, targets, 0)
    weights = np.where(inside, counts[words], 0).astype(logits.dtype)
    grad = np.exp(log_softmax(logits))
    grad[np.arange(N), words] -= 1
    return grad * weights[:, None] / max(weights.sum(), 1)
