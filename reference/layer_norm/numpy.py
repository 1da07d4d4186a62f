"""Layer normalisation: Ba, Kiros and Hinton 2016, section 3."""

import numpy as np


def layer_norm(x, gain, bias, eps):
    """x (..., E), gain and bias (E,) -> y (..., E)."""
    x_hat, _ = normalised(x, eps)
    return gain * x_hat + bias


def layer_norm_backward(grad, x, gain, eps):
    """grad and x (..., E), gain (E,) -> dx (..., E), dgain (E,), dbias (E,)."""
    x_hat, sigma = normalised(x, eps)
    every_token = tuple(range(x.ndim - 1))
    dgain = (grad * x_hat).sum(axis=every_token)  # (E,)
    dbias = grad.sum(axis=every_token)  # (E,)

    g = grad * gain  # (..., E): the gradient of x_hat
    through_mean = g.mean(axis=-1, keepdims=True)  # (..., 1)
    through_variance = x_hat * (g * x_hat).mean(axis=-1, keepdims=True)  # (..., E)
    dx = (g - through_mean - through_variance) / sigma
    return dx, dgain, dbias


def normalised(x, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)  # (..., 1)
    sigma = np.sqrt(variance + eps)
    return centred / sigma, sigma
