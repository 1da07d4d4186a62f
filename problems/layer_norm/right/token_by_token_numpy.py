# One token after the other: all axes but the last become one, and a loop goes over it.
import numpy as np


def layer_norm(x, gain, bias, eps):
    rows = [gain * normalised(token, eps)[0] + bias for token in x.reshape(-1, x.shape[-1])]
    return np.stack(rows).reshape(x.shape)


def layer_norm_backward(grad, x, gain, eps):
    dx, dgain, dbias = [], np.zeros_like(gain), np.zeros_like(gain)
    width = x.shape[-1]
    for d, token in zip(grad.reshape(-1, width), x.reshape(-1, width), strict=True):
        x_hat, sigma = normalised(token, eps)
        dgain, dbias = dgain + d * x_hat, dbias + d
        g = d * gain
        dx.append((g - g.mean() - x_hat * (g * x_hat).mean()) / sigma)
    return np.stack(dx).reshape(x.shape), dgain, dbias


def normalised(token, eps):
    centred = token - token.mean()
    sigma = np.sqrt((centred**2).mean() + eps)
    return centred / sigma, sigma
