"""float64 inside, cast back at the end; np.var."""
import numpy as np


def hat(x, eps):
    x = x.astype(np.float64)
    s = np.sqrt(np.var(x, axis=-1, keepdims=True) + eps)
    return (x - np.mean(x, axis=-1, keepdims=True)) / s, s


def layer_norm(x, gain, bias, eps):
    return (hat(x, eps)[0] * gain + bias).astype(x.dtype)


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    g = grad * gain.astype(np.float64)
    a, b = g.mean(-1, keepdims=True), (g * h).mean(-1, keepdims=True)
    rows = (-1, x.shape[-1])
    found = ((g - a - h * b) / s, (grad * h).reshape(rows).sum(0), grad.reshape(rows).sum(0))
    return tuple(each.astype(x.dtype) for each in found)
