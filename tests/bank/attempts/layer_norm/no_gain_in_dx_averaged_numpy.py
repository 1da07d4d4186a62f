"""dx starts from grad; the parameters get a mean over the batch."""
# causes: dx_without_gain, averaged_over_tokens

import numpy as np


def layer_norm(x, gain, bias, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    return gain * (x - mu) / np.sqrt(var + eps) + bias


def layer_norm_backward(grad, x, gain, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = ((x - mu) ** 2).mean(axis=-1, keepdims=True)
    inv = 1 / np.sqrt(var + eps)
    x_hat = (x - mu) * inv
    mean_g = grad.mean(axis=-1, keepdims=True)
    mean_gx = (grad * x_hat).mean(axis=-1, keepdims=True)
    dx = inv * (grad - mean_g - x_hat * mean_gx)
    rows = grad.reshape(-1, x.shape[-1])
    return dx, (rows * x_hat.reshape(rows.shape)).mean(0), rows.mean(0)
