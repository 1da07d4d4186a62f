"""Step by step with the chain rule: dvar, dmu, dx."""
# causes: none

import numpy as np


def layer_norm(x, gain, bias, eps):
    mu = np.mean(x, axis=-1, keepdims=True)
    var = np.mean((x - mu) ** 2, axis=-1, keepdims=True)
    return gain * ((x - mu) * (var + eps) ** -0.5) + bias


def layer_norm_backward(grad, x, gain, eps):
    N = x.shape[-1]
    mu = np.mean(x, axis=-1, keepdims=True)
    var = np.mean((x - mu) ** 2, axis=-1, keepdims=True)
    std_inv = 1.0 / np.sqrt(var + eps)
    xmu = x - mu
    dxhat = grad * gain
    dvar = np.sum(dxhat * xmu, axis=-1, keepdims=True) * -0.5 * std_inv**3
    dmu = np.sum(-dxhat * std_inv, axis=-1, keepdims=True) + dvar * np.mean(
        -2.0 * xmu, axis=-1, keepdims=True
    )
    dx = dxhat * std_inv + dvar * 2 * xmu / N + dmu / N
    axes = tuple(range(grad.ndim - 1))
    return dx, np.sum(grad * xmu * std_inv, axis=axes), np.sum(grad, axis=axes)
