"""Wrong: a constant token gets no gradient."""

import numpy as np


def layer_norm(x, gain, bias, eps):
    c = x - x.mean(-1, keepdims=True)
    return gain * c / np.sqrt((c * c).mean(-1, keepdims=True) + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    h = c / s
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    dx = np.where((c == 0).all(-1, keepdims=True), 0, dx).astype(x.dtype)
    axes = tuple(range(x.ndim - 1))
    return dx, (grad * h).sum(axes), grad.sum(axes)
