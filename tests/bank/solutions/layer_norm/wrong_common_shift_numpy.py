"""The variance is a difference of squares after one shift that all tokens share."""

import numpy as np


def _stats(x, eps):
    shifted = x - x.mean()  # keeps the squares small
    mean = shifted.mean(axis=-1, keepdims=True)
    var = (shifted * shifted).mean(axis=-1, keepdims=True) - mean * mean
    sigma = np.sqrt(np.maximum(var, 0) + float(eps))
    hat = (x - x.mean(axis=-1, keepdims=True)) / sigma
    return hat, sigma


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> np.ndarray:
    """Give every token mean 0 and variance 1, then stretch and shift it."""
    hat, _ = _stats(x, eps)
    return hat * gain + bias


def layer_norm_backward(
    grad: np.ndarray, x: np.ndarray, gain: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Carry the gradient of y back to x, gain and bias."""
    hat, sigma = _stats(x, eps)
    g = grad * gain
    mean_g = g.mean(axis=-1, keepdims=True)
    mean_gh = (g * hat).mean(axis=-1, keepdims=True)
    dx = (g - mean_g - hat * mean_gh) / sigma
    lead = tuple(range(x.ndim - 1))
    return dx, np.sum(grad * hat, axis=lead), np.sum(grad, axis=lead)
