"""einsum and a large negative fill."""
# causes: none

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    z = np.einsum("...id,...jd->...ij", q, k) / D**0.5
    z = np.tanh(z / cap) * cap
    see = np.ones((L, S), dtype=bool)
    if causal:
        see = np.arange(S)[None, :] <= np.arange(L)[:, None] + (S - L)
    z = np.where(see, z, -1e30)
    p = np.exp(z - z.max(-1, keepdims=True)) * see
    p = p / (p.sum(-1, keepdims=True) + 1e-12)
    return np.einsum("...ij,...jv->...iv", p, v)
