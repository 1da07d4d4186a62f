"""Everything as one table of tokens."""
# causes: none

import numpy as np


def stats(rows, eps):
    mu = rows.mean(1)[:, None]
    sd = np.sqrt(((rows - mu) ** 2).mean(1) + eps)[:, None]
    return (rows - mu) / sd, sd


def layer_norm(x, gain, bias, eps):
    hat, _ = stats(x.reshape(-1, x.shape[-1]), eps)
    return (hat * gain + bias).reshape(x.shape)


def layer_norm_backward(grad, x, gain, eps):
    hat, sd = stats(x.reshape(-1, x.shape[-1]), eps)
    rows = grad.reshape(hat.shape)
    g = rows * gain
    dx = g - g.mean(1)[:, None] - hat * (g * hat).mean(1)[:, None]
    return (dx / sd).reshape(x.shape), (rows * hat).sum(0), rows.sum(0)
