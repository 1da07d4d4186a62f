"""torch.std divides by n - 1, so this does."""
# causes: unbiased_variance

import numpy as np


def layer_norm(x, gain, bias, eps):
    mean = x.mean(-1, keepdims=True)
    var = x.var(-1, keepdims=True, ddof=1)
    return gain * (x - mean) / np.sqrt(var + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    mean = x.mean(-1, keepdims=True)
    std = np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps)
    xhat = (x - mean) / std
    axes = tuple(range(x.ndim - 1))
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - xhat * (g * xhat).mean(-1, keepdims=True)) / std
    return dx, (grad * xhat).sum(axes), grad.sum(axes)
