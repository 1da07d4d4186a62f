"""Sample variance, and dx without the paths."""
# causes: unbiased_variance, statistics_held_fixed

import numpy as np


def _hat(x, eps):
    n = x.shape[-1]
    d = x - np.sum(x, -1, keepdims=True) / n
    s = np.sqrt(np.sum(d * d, -1, keepdims=True) / (n - 1) + eps)
    return d / s, s


def layer_norm(x, gain, bias, eps):
    return _hat(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = _hat(x, eps)
    flat = (-1, x.shape[-1])
    return grad * gain / s, (grad * h).reshape(flat).sum(0), grad.reshape(flat).sum(0)
