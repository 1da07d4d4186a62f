"""Divide by the standard deviation."""
# causes: no_eps

import numpy as np


def layer_norm(x, gain, bias, eps):
    return gain * (x - np.mean(x, -1, keepdims=True)) / np.std(x, -1, keepdims=True) + bias


def layer_norm_backward(grad, x, gain, eps):
    sd = np.std(x, -1, keepdims=True)
    hat = (x - np.mean(x, -1, keepdims=True)) / sd
    g = grad * gain
    inner = g - np.mean(g, -1, keepdims=True) - hat * np.mean(g * hat, -1, keepdims=True)
    axes = tuple(range(x.ndim - 1))
    return inner / sd, np.sum(grad * hat, axes), np.sum(grad, axes)
