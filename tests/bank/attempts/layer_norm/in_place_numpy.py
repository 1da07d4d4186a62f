"""Reuses x as the buffer."""
# causes: centred_in_place

import numpy as np


def normalise(x, eps):
    x -= x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)
    return x / sigma, sigma


def layer_norm(x, gain, bias, eps):
    return normalise(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    n, sigma = normalise(x, eps)
    lead = tuple(range(n.ndim - 1))
    g = grad * gain
    dx = g - g.mean(axis=-1, keepdims=True) - n * (g * n).mean(axis=-1, keepdims=True)
    return dx / sigma, (grad * n).sum(axis=lead), grad.sum(axis=lead)
