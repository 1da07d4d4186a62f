"""A token whose numbers are only close to each other counts as constant."""

import numpy as np


def _normalised(x, eps):
    centred = x - np.mean(x, axis=-1, keepdims=True)
    sigma = np.sqrt(np.mean(centred**2, axis=-1, keepdims=True) + float(eps))
    constant = np.isclose(x, x[..., :1]).all(axis=-1, keepdims=True)
    hat = np.where(constant, 0, centred / sigma).astype(x.dtype)
    return hat, sigma


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> np.ndarray:
    """Give every token mean 0 and variance 1, then stretch and shift it."""
    hat, _ = _normalised(x, eps)
    return gain * hat + bias


def layer_norm_backward(
    grad: np.ndarray, x: np.ndarray, gain: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Carry the gradient of y back to x, gain and bias."""
    hat, sigma = _normalised(x, eps)
    g = grad * gain
    dx = (
        g
        - np.mean(g, axis=-1, keepdims=True)
        - hat * np.mean(g * hat, axis=-1, keepdims=True)
    ) / sigma
    E = x.shape[-1]
    return dx, (grad * hat).reshape(-1, E).sum(0), grad.reshape(-1, E).sum(0)
