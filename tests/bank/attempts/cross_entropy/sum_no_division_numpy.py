"""Sums all the way."""
# causes: sum_of_losses, gradient_not_divided

import numpy as np


def _p(logits):
    z = logits - logits.max(1, keepdims=True)
    return z - np.log(np.exp(z).sum(1, keepdims=True))


def cross_entropy(logits, targets, ignore_index=-100):
    ok = targets != ignore_index
    return -_p(logits)[ok, targets[ok]].sum()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    ok = targets != ignore_index
    g = np.exp(_p(logits))
    g[ok, targets[ok]] -= 1
    g[~ok] = 0
    return g
