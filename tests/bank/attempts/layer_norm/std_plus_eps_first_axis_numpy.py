"""std + eps, and gradients summed over axis 0."""
# causes: eps_outside_the_root, summed_over_the_first_axis

import numpy as np


def layer_norm(x, gain, bias, eps):
    return gain * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    std = x.std(-1, keepdims=True) + eps
    xhat = (x - x.mean(-1, keepdims=True)) / std
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - xhat * (g * xhat).mean(-1, keepdims=True)) / std
    return dx, (grad * xhat).sum(0), grad.sum(0)
