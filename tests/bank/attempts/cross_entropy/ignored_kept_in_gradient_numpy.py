"""The loss looks at ignore_index, the gradient does not zero the rows."""
# causes: gradient_of_ignored_places, logarithm_of_a_softmax

import numpy as np


def probabilities(logits):
    e = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def cross_entropy(logits, targets, ignore_index=-100):
    valid = np.flatnonzero(targets != ignore_index)
    p = probabilities(logits)[valid, targets[valid]]
    return np.sum(-np.log(p)) / max(valid.size, 1)


def cross_entropy_backward(logits, targets, ignore_index=-100):
    valid = np.flatnonzero(targets != ignore_index)
    grad = probabilities(logits)
    grad[valid, targets[valid]] -= 1.0
    return grad / max(valid.size, 1)
