"""-10 000 stands for minus infinity, beside logits that are as low."""

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z = np.where(np.isinf(logits), logits.dtype.type(-1e4), logits)
    m = z.max(1, keepdims=True)
    lse = m[:, 0] + np.log(np.exp(z - m).sum(1))
    loss = lse - z[np.arange(len(targets)), np.where(keep, targets, 0)]
    return np.where(keep, loss, 0).sum() / max(keep.sum(), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    z = np.where(np.isinf(logits), logits.dtype.type(-1e4), logits)
    m = z.max(1, keepdims=True)
    p = np.exp(z - m)
    p /= p.sum(1, keepdims=True)
    p[np.arange(len(targets)), np.where(keep, targets, 0)] -= 1
    return (p * keep[:, None] / max(keep.sum(), 1)).astype(logits.dtype)
