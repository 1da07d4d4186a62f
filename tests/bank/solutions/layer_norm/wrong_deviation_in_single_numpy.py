"""The deviation of the way back goes through float32."""
import numpy as np


def hat(x, eps):
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    return c / s, s


def layer_norm(x, gain, bias, eps):
    return hat(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x.astype(np.float32), eps)
    h = h.astype(x.dtype)
    g = grad * gain
    dx = (g - g.mean(-1, keepdims=True) - h * (g * h).mean(-1, keepdims=True)) / s
    lead = tuple(range(x.ndim - 1))
    return dx.astype(x.dtype), (grad * h).sum(lead), grad.sum(lead)
