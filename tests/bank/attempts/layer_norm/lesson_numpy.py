"""Mean, variance, normalise; then the three terms of the gradient."""
# causes: none

import numpy as np


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> np.ndarray:
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gain * (x - mu) / np.sqrt(var + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    E = x.shape[-1]
    mu = x.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(x.var(axis=-1, keepdims=True) + eps)
    xhat = (x - mu) / sigma
    dbias = grad.reshape(-1, E).sum(axis=0)
    dgain = (grad * xhat).reshape(-1, E).sum(axis=0)
    g = grad * gain
    dx = (
        g
        - g.sum(axis=-1, keepdims=True) / E
        - xhat * (g * xhat).sum(axis=-1, keepdims=True) / E
    ) / sigma
    return dx, dgain, dbias
