"""Divides what is held by the squared length of the key, as for a projection."""

import numpy as np


def delta_rule(q, k, v, beta):
    B, H, n, D = k.shape
    M = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    out = np.zeros_like(v)
    for i in range(n):
        key = k[:, :, i]
        length = (key * key).sum(-1, keepdims=True)
        held = np.einsum("bhde,bhd->bhe", M, key) / np.where(length == 0, 1, length)
        M = M + np.einsum("bhd,bhe->bhde", key, beta[:, :, i, None] * (v[:, :, i] - held))
        out[:, :, i] = np.einsum("bhde,bhd->bhe", M, q[:, :, i])
    return out
