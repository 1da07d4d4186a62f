"""einsum for every sum, and a list of three results."""
import numpy as np


def hat(x, eps):
    c = x - np.einsum("...e->...", x)[..., None] / x.shape[-1]
    s = (np.einsum("...e,...e->...", c, c) / x.shape[-1] + eps) ** 0.5
    return np.einsum("...e,...->...e", c, 1 / s), s[..., None]


def layer_norm(x, gain, bias, eps):
    return np.einsum("...e,e->...e", hat(x, eps)[0], gain) + bias


def layer_norm_backward(grad, x, gain, eps):
    h, s = hat(x, eps)
    g = np.einsum("...e,e->...e", grad, gain)
    E = x.shape[-1]
    centre = g - np.einsum("...e->...", g)[..., None] / E
    dx = (centre - h * np.einsum("...e,...e->...", g, h)[..., None] / E) / s
    rows = grad.reshape(-1, E)
    return [dx, np.einsum("te,te->e", rows, h.reshape(-1, E)), np.einsum("te->e", rows)]
