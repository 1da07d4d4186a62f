"""The formula as it stands."""
# causes: no_maximum_subtracted

import numpy as np


def cross_entropy(logits, targets, ignore_index=-100):
    keep = np.where(targets != ignore_index)[0]
    lse = np.log(np.exp(logits).sum(axis=1))
    return (lse[keep] - logits[keep, targets[keep]]).sum() / max(len(keep), 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = np.where(targets != ignore_index)[0]
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    grad = np.zeros_like(p)
    grad[keep] = p[keep]
    grad[keep, targets[keep]] -= 1
    return grad / max(len(keep), 1)
