"""One pass: E[x^2] - E[x]^2."""
# causes: difference_of_large_squares

import numpy as np


def moments(x, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = (x * x).mean(axis=-1, keepdims=True) - mu * mu
    return mu, np.sqrt(var + eps)


def layer_norm(x, gain, bias, eps):
    mu, sigma = moments(x, eps)
    return gain * (x - mu) / sigma + bias


def layer_norm_backward(grad, x, gain, eps):
    mu, sigma = moments(x, eps)
    x_hat = (x - mu) / sigma
    lead = tuple(range(x.ndim - 1))
    g = grad * gain
    dx = g - g.mean(axis=-1, keepdims=True) - x_hat * (g * x_hat).mean(axis=-1, keepdims=True)
    return dx / sigma, (grad * x_hat).sum(axis=lead), grad.sum(axis=lead)
