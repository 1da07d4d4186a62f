import numpy as np

def flash_attention(q, k, v, block_size, causal=False):
    L, D = q.shape[-2:]
    S, Dv = v.shape[-2:]
    lead = q.shape[:-2]
    m = np.full(lead + (L, 1), -np.inf, q.dtype)
    l = np.zeros(lead + (L, 1), q.dtype)
    o = np.zeros(lead + (L, Dv), q.dtype)
    c = q.dtype.type(D ** -0.5)
    place = np.arange(L)[:, None] + (S - L)
    for at in range(0, S, block_size):
        kb, vb = k[..., at:at + block_size, :], v[..., at:at + block_size, :]
        s = (q * c) @ kb.swapaxes(-1, -2)
        if causal:
            s = np.where(np.arange(at, at + kb.shape[-2]) <= place, s, -np.inf)
        new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isneginf(new), 0, new).astype(q.dtype)
        keep = np.exp(m - safe)
        e = np.exp(s - safe)
        l = l * np.maximum(keep, 1e-6) + e.sum(-1, keepdims=True)
        o = o * keep + e @ vb
        m = new
    return o / np.where(l == 0, 1, l).astype(q.dtype)
