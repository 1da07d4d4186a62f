"""x.std() + eps, as a tutorial has it."""
# causes: eps_outside_the_root

import numpy as np


def layer_norm(x, gain, bias, eps):
    mean = x.mean(-1, keepdims=True)
    std = x.std(-1, keepdims=True)
    return gain * (x - mean) / (std + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    mean = x.mean(-1, keepdims=True)
    std = x.std(-1, keepdims=True) + eps
    xhat = (x - mean) / std
    axes = tuple(range(x.ndim - 1))
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - xhat * (g * xhat).mean(-1, keepdims=True)) / std
    return dx, (grad * xhat).sum(axes), grad.sum(axes)
