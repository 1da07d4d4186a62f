"""Save memory by working in grad_weights."""
# causes: written_in_place, mean_added

import numpy as np


def softmax_backward(weights, grad_weights):
    grad_weights += (weights * grad_weights).sum(axis=-1, keepdims=True)
    return weights * grad_weights
