"""Right. Everything inside is float64 and the results go back to the dtype of x; the first number of each token is taken
away before the mean, so that a constant token is exactly 0 and a large offset costs no digits."""
import numpy as np


def _normalise(x, eps):
    wide = np.array(x, dtype=np.float64)
    wide -= wide[..., :1].copy()
    wide -= wide.mean(axis=-1, keepdims=True)
    sigma = np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + float(eps))
    return wide / sigma, sigma


def layer_norm(x, gain, bias, eps):
    xhat, _ = _normalise(x, eps)
    return (xhat * gain + bias).astype(x.dtype)


def layer_norm_backward(grad, x, gain, eps):
    xhat, sigma = _normalise(x, eps)
    up = grad.astype(np.float64)
    g = up * gain
    dx = g - g.mean(axis=-1, keepdims=True)
    dx -= xhat * np.mean(g * xhat, axis=-1, keepdims=True)
    dx /= sigma
    axes = tuple(range(x.ndim - 1))
    dgain = np.sum(up * xhat, axis=axes)
    dbias = np.sum(up, axis=axes)
    return dx.astype(x.dtype), dgain.astype(x.dtype), dbias.astype(x.dtype)
