"""A loop over places."""
import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    losses = []
    for row, target in zip(logits, targets):
        if target != ignore_index:
            gaps = row - row[target]
            top = gaps.max()
            losses.append(top + np.log(np.exp(gaps - top).sum()))
    return np.array(sum(losses) / max(len(losses), 1), dtype=logits.dtype)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    grad = np.zeros(logits.shape, dtype=logits.dtype)
    count = max(int((targets != ignore_index).sum()), 1)
    for i in range(len(targets)):
        if targets[i] != ignore_index:
            e = np.exp(logits[i] - logits[i].max())
            grad[i] = e / (e.sum() * count)
            grad[i, targets[i]] -= 1 / count
    return grad
