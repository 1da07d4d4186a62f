"""Tokens are flattened in the order of memory and put back in C order."""

import numpy as np


def _flat(a):
    return a.reshape(-1, a.shape[-1], order="A")  # no copy, whatever the layout


def _whiten(rows, eps):
    centred = rows - rows.mean(axis=1, keepdims=True)
    sigma = np.sqrt(np.square(centred).mean(axis=1, keepdims=True) + float(eps))
    return centred / sigma, sigma


def layer_norm(x: np.ndarray, gain: np.ndarray, bias: np.ndarray, eps: float) -> np.ndarray:
    """Give every token mean 0 and variance 1, then stretch and shift it."""
    hat, _ = _whiten(_flat(x), eps)
    return (gain * hat + bias).reshape(x.shape)


def layer_norm_backward(
    grad: np.ndarray, x: np.ndarray, gain: np.ndarray, eps: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Carry the gradient of y back to x, gain and bias."""
    hat, sigma = _whiten(_flat(x), eps)
    top = _flat(grad)
    g = top * gain
    dx = g - g.mean(axis=1, keepdims=True) - hat * (g * hat).mean(axis=1, keepdims=True)
    return (dx / sigma).reshape(x.shape), (top * hat).sum(axis=0), top.sum(axis=0)
