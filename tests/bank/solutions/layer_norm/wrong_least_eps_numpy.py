"""A small eps becomes larger."""

import numpy as np


def layer_norm(x, gain, bias, eps):
    d = x - x.mean(-1, keepdims=True)
    return (
        d / np.sqrt(np.maximum((d * d).mean(-1, keepdims=True), 1e-12) + max(eps, 1e-8)) * gain
        + bias
    )


def layer_norm_backward(grad, x, gain, eps):
    d = x - x.mean(-1, keepdims=True)
    s = np.sqrt((d * d).mean(-1, keepdims=True) + max(eps, 1e-6))
    h = d / s
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    axes = tuple(range(x.ndim - 1))
    return dx, (grad * h).sum(axes), grad.sum(axes)
