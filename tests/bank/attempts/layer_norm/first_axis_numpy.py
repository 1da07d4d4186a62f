"""Sum over axis 0."""
# causes: summed_over_the_first_axis

import numpy as np


def layer_norm(x, gain, bias, eps):
    mu = np.mean(x, axis=-1, keepdims=True)
    var = np.var(x, axis=-1, keepdims=True)
    return (x - mu) / np.sqrt(var + eps) * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    mu = np.mean(x, axis=-1, keepdims=True)
    sigma = np.sqrt(np.var(x, axis=-1, keepdims=True) + eps)
    x_hat = (x - mu) / sigma
    dgain = np.sum(grad * x_hat, axis=0)
    dbias = np.sum(grad, axis=0)
    g = grad * gain
    m1 = np.mean(g, axis=-1, keepdims=True)
    m2 = np.mean(g * x_hat, axis=-1, keepdims=True)
    return (g - m1 - x_hat * m2) / sigma, dgain, dbias
