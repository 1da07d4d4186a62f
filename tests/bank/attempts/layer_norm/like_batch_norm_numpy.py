"""Batch normalisation: statistics along axis 0."""
# causes: statistics_of_the_batch, summed_over_the_first_axis

import numpy as np


def layer_norm(x, gain, bias, eps):
    mu = x.mean(axis=0)
    var = x.var(axis=0)
    return gain * (x - mu) / np.sqrt(var + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    N = x.shape[0]
    mu = x.mean(axis=0)
    std = np.sqrt(x.var(axis=0) + eps)
    xhat = (x - mu) / std
    dbeta = grad.sum(axis=0)
    dgamma = (grad * xhat).sum(axis=0)
    dx = gain / (N * std) * (N * grad - dbeta - xhat * dgamma)
    return dx, dgamma, dbeta
