"""Place by place."""
# causes: none

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    total, count = 0.0, 0
    for row, t in zip(logits, targets):
        if t == ignore_index:
            continue
        m = row.max()
        total += m + np.log(np.exp(row - m).sum()) - row[t]
        count += 1
    return np.asarray(total / count if count else 0.0, dtype=logits.dtype)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    grad = np.zeros_like(logits)
    count = np.sum(targets != ignore_index)
    for i, (row, t) in enumerate(zip(logits, targets)):
        if t != ignore_index:
            e = np.exp(row - row.max())
            grad[i] = e / e.sum()
            grad[i, t] -= 1
            grad[i] /= count
    return grad
