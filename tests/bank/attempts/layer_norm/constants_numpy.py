"""The gradient of a quotient by a number."""
# causes: statistics_held_fixed

import numpy as np


def layer_norm(x, gain, bias, eps):
    mu = x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    return gain * ((x - mu) / sigma) + bias


def layer_norm_backward(grad, x, gain, eps):
    mu = x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    x_hat = (x - mu) / sigma
    lead = tuple(range(x.ndim - 1))
    return grad * gain / sigma, np.sum(grad * x_hat, axis=lead), np.sum(grad, axis=lead)
