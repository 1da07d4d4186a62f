"""take_along_axis, and where for what is ignored."""
import numpy as np


def parts(logits, targets, ignore_index):
    keep = targets != ignore_index
    safe = np.where(keep, targets, 0)
    top = logits.max(axis=-1, keepdims=True)
    lse = top + np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return keep, safe[:, None], lse


def cross_entropy(logits, targets, ignore_index=-100):
    keep, safe, lse = parts(logits, targets, ignore_index)
    losses = np.where(keep, (lse - np.take_along_axis(logits, safe, axis=1))[:, 0], 0)
    return losses.sum(dtype=logits.dtype) / max(np.count_nonzero(keep), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep, safe, lse = parts(logits, targets, ignore_index)
    grad = np.exp(logits - lse)
    np.put_along_axis(grad, safe, np.take_along_axis(grad, safe, axis=1) - 1, axis=1)
    grad[~keep] = 0
    return grad / max(np.count_nonzero(keep), 1)
