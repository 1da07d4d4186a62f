# wrong: where the gate is exactly 1 the old value is replaced altogether, dividing by |k|^2; a key whose length is not 1 must not be normalised
import numpy as np


def delta_rule(q, k, v, beta):
    B, H, n, D = q.shape
    m = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.empty_like(v)
    square = (k * k).sum(-1)
    full = (beta == 1) & (square > 0)
    rate = np.where(full, 1 / np.where(full, square, 1), beta).astype(v.dtype)
    for i in range(n):
        key = k[:, :, i]
        h = np.einsum("bhde,bhd->bhe", m, key)
        m = m + key[..., None] * (rate[:, :, i, None] * (v[:, :, i] - h))[:, :, None]
        out[:, :, i] = np.einsum("bhde,bhd->bhe", m, q[:, :, i])
    return out
