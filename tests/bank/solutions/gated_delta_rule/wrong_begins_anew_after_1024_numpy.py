import numpy as np


def delta_rule(q, k, v, beta):
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=q.dtype)
    out = np.empty(v.shape, dtype=v.dtype)
    for i in range(n):
        if i == 1024:
            M = M * 0
        ki = k[:, :, i]
        h = np.einsum("bhd,bhde->bhe", ki, M)
        M = M + np.einsum("bhd,bhe->bhde", ki, beta[:, :, i, None] * (v[:, :, i] - h))
        out[:, :, i] = np.einsum("bhd,bhde->bhe", q[:, :, i], M)
    return out
