"""A token of one number comes back as it is."""
import numpy as np


def hat(x, eps):
    c = x - x.mean(-1, keepdims=True) if x.shape[-1] > 1 else x
    s = np.sqrt(x.var(-1, keepdims=True) + eps) if x.shape[-1] > 1 else np.ones_like(x)
    return c / s, s


def layer_norm(x, gain, bias, eps):
    return hat(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return dx, (grad * h).sum(lead), grad.sum(lead)
