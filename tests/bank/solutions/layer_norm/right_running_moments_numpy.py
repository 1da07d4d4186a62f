"""Welford's running mean and sum of squares, column by column."""
import numpy as np


def moments(x):
    mean = np.zeros(x.shape[:-1], dtype=x.dtype)
    m2 = np.zeros(x.shape[:-1], dtype=x.dtype)
    for j in range(x.shape[-1]):
        delta = x[..., j] - mean
        mean = mean + delta / (j + 1)
        m2 = m2 + delta * (x[..., j] - mean)
    return mean[..., None], (m2 / x.shape[-1])[..., None]


def layer_norm(x, gain, bias, eps):
    mean, var = moments(x)
    return (x - mean) * (gain / np.sqrt(var + eps)) + bias


def layer_norm_backward(grad, x, gain, eps):
    mean, var = moments(x)
    inv = 1 / np.sqrt(var + eps)
    h = (x - mean) * inv
    g = grad * gain
    E = x.shape[-1]
    dx = inv / E * (E * g - g.sum(-1, keepdims=True) - h * (g * h).sum(-1, keepdims=True))
    lead = tuple(range(x.ndim - 1))
    return dx, np.sum(grad * h, axis=lead), np.sum(grad, axis=lead)
