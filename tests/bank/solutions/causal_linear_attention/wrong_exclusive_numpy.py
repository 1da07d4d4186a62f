"""The summary ends before the token itself; the first token gets its own value."""
import numpy as np


def causal_linear_attention(q, k, v):
    a, b = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    s = np.cumsum(b[..., None] * v[:, :, None], axis=1)
    z = np.cumsum(b, axis=1)
    s[:, 1:], z[:, 1:] = s[:, :-1].copy(), z[:, :-1].copy()
    return np.einsum("bnd,bndv->bnv", a, s) / np.einsum("bnd,bnd->bn", a, z)[..., None]
