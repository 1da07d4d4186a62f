"""Divides by max(E - 1, 1): no NaN at width one, and wrong everywhere else."""
import numpy as np


def hat(x, eps):
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).sum(-1, keepdims=True) / max(x.shape[-1] - 1, 1) + eps)
    return c / s, s


def layer_norm(x, gain, bias, eps):
    return hat(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return dx, (grad * h).sum(lead), grad.sum(lead)
