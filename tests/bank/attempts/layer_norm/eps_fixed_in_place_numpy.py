"""The eps of nn.LayerNorm, and -= for speed."""
# causes: eps_of_the_module, centred_in_place

import numpy as np


def layer_norm(x, gain, bias, eps=1e-5):
    eps = 1e-5
    x -= x.mean(axis=-1, keepdims=True)
    return gain * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps) + bias


def layer_norm_backward(grad, x, gain, eps=1e-5):
    eps = 1e-5
    x -= x.mean(axis=-1, keepdims=True)
    s = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    h = x / s
    g = grad * gain
    lead = tuple(range(x.ndim - 1))
    dx = (g - g.mean(axis=-1, keepdims=True) - h * (g * h).mean(axis=-1, keepdims=True)) / s
    return dx, (grad * h).sum(axis=lead), grad.sum(axis=lead)
