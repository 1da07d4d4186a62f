"""A loop over the few columns instead of the many rows."""
# causes: none

import numpy as np


def softmax_backward(weights, grad_weights):
    total = np.zeros(weights.shape[:-1], dtype=weights.dtype)
    for j in range(weights.shape[-1]):
        total = total + weights[..., j] * grad_weights[..., j]
    out = np.empty_like(weights)
    for i in range(weights.shape[-1]):
        out[..., i] = weights[..., i] * (grad_weights[..., i] - total)
    return out
