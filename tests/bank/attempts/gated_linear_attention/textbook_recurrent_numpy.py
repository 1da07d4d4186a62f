"""The first form as it stands: a loop over the words."""
# causes: token_by_token

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros((B, H, n, v.shape[-1]), dtype=v.dtype)
    for t in range(n):
        outer = np.einsum("bhd,bhe->bhde", k[:, :, t], v[:, :, t])
        M = np.einsum("bhd,bhde->bhde", gates[:, :, t], M) + outer
        out[:, :, t] = np.einsum("bhde,bhd->bhe", M, q[:, :, t])
    return out
