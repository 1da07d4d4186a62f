"""A loop over heads with h % G."""
# causes: groups_in_turn, no_scale

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    outputs = []
    for h in range(H):
        s = q[:, h] @ k[:, h % G].transpose(0, 2, 1)
        keep = np.tri(L, S, S - L, dtype=bool) if causal else np.ones((L, S), dtype=bool)
        s = np.where(keep, s, np.finfo(s.dtype).min)
        e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
        t = e.sum(axis=-1, keepdims=True)
        outputs.append(e / np.where(t == 0, 1, t) @ v[:, h % G])
    return np.stack(outputs, axis=1)
