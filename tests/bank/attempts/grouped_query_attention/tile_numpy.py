"""np.tile."""
# causes: groups_in_turn

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    k = np.tile(k, (1, H // G, 1, 1))
    v = np.tile(v, (1, H // G, 1, 1))
    s = np.einsum("bhld,bhsd->bhls", q, k) / np.sqrt(D)
    keep = np.tri(L, S, S - L) if causal else np.ones((L, S))
    s = np.where(keep > 0, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    t = e.sum(-1, keepdims=True)
    return (np.einsum("bhls,bhsv->bhlv", e / np.where(t > 0, t, 1), v)).astype(q.dtype)
