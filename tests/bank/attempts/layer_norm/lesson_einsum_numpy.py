"""Sums as einsum."""
# causes: none

import numpy as np


def layer_norm(x, gain, bias, eps):
    c = x - x.mean(-1, keepdims=True)
    var = np.einsum("...e,...e->...", c, c)[..., None] / x.shape[-1]
    return c / np.sqrt(var + eps) * gain + bias


def layer_norm_backward(grad, x, gain, eps):
    E = x.shape[-1]
    c = x - x.mean(-1, keepdims=True)
    sd = np.sqrt(np.einsum("...e,...e->...", c, c)[..., None] / E + eps)
    n = c / sd
    g = np.einsum("...e,e->...e", grad, gain)
    along = np.einsum("...e,...e->...", g, n)[..., None] / E
    dx = (g - g.mean(-1, keepdims=True) - n * along) / sd
    rows = grad.reshape(-1, E)
    return dx, np.einsum("te,te->e", rows, n.reshape(-1, E)), np.einsum("te->e", rows)
