"""A sentence of one token loses an axis."""
import numpy as np


def hat(x, eps):
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    return c / s, s


def layer_norm(x, gain, bias, eps):
    y = hat(x, eps)[0] * gain + bias
    return y[0] if len(y) == 1 and y.ndim > 1 else y


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return dx, (grad * h).sum(lead), grad.sum(lead)
