"""A vocabulary of one word loses its axis."""
import numpy as np


def logs(logits):
    z = logits - logits.max(-1, keepdims=True)
    return z - np.log(np.exp(z).sum(-1, keepdims=True))


def cross_entropy(logits, targets, ignore_index=-100):
    keep = np.flatnonzero(targets != ignore_index)
    return -logs(logits)[keep, targets[keep]].sum() / max(len(keep), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = np.flatnonzero(targets != ignore_index)
    grad = np.zeros_like(logits)
    grad[keep] = np.exp(logs(logits))[keep]
    grad[keep, targets[keep]] -= 1
    return (grad / max(len(keep), 1)).squeeze()
