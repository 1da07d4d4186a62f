"""grad is multiplied by the gain in place."""
import numpy as np


def hat(x, eps):
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    return c / s, s


def layer_norm(x, gain, bias, eps):
    return hat(x, eps)[0] * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    lead = tuple(range(x.ndim - 1))
    dgain, dbias = (grad * h).sum(lead), grad.sum(lead)
    if grad.flags.writeable:
        grad *= gain
    else:
        grad = grad * gain
    dx = (grad - grad.mean(-1, keepdims=True) - h * (grad * h).mean(-1, keepdims=True)) / s
    return dx, dgain, dbias
