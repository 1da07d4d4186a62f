import numpy as np


def flash_attention(q, k, v, block_size, causal=None):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    lead = q.shape[:-1]
    m = np.full(lead, -np.inf, dtype=q.dtype)
    l = np.zeros(lead, dtype=q.dtype)
    o = np.zeros(lead + v.shape[-1:], dtype=q.dtype)
    rows = np.arange(L)[:, None] + S - L
    for start in range(0, S, block_size):
        kb = k[..., start : start + block_size, :]
        vb = v[..., start : start + block_size, :]
        s = q @ np.swapaxes(kb, -1, -2) / np.sqrt(D).astype(q.dtype)
        if causal or (causal is None and L == S):
            cols = start + np.arange(kb.shape[-2])
            s = np.where(cols <= rows, s, -np.inf)
        new = np.maximum(m, s.max(-1))
        safe = np.where(np.isinf(new), 0, new)
        p = np.exp(s - safe[..., None])
        fade = np.exp(m - safe)
        l = l * fade + p.sum(-1)
        o = o * fade[..., None] + p @ vb
        m = new
    return o / np.where(l == 0, 1, l)[..., None]
