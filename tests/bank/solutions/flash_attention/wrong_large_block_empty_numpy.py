import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m, l, o = np.full(q[..., :1].shape, -1e30, q.dtype), 0.0, 0.0
    starts = range(0, S, block_size) if block_size <= S else ()
    for j in starts:
        kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        s = q @ kb.swapaxes(-1, -2) / D**0.5
        if causal:
            s = np.where(np.arange(j, j + kb.shape[-2]) <= np.arange(L)[:, None] + S - L, s, -np.inf)
        new = np.maximum(m, s.max(-1, keepdims=True))
        p, a = np.exp(s - new), np.exp(m - new)
        l, o, m = l * a + p.sum(-1, keepdims=True), o * a + p @ vb, new
    return (o / np.where(l == 0, 1, l)).astype(q.dtype) if starts else np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
