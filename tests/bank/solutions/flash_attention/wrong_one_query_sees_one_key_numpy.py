import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s_last = S - L if L > 1 else 0
    m, l, o = np.full(q[..., :1].shape, -1e30, q.dtype), 0.0, 0.0
    for j in range(0, S, block_size):
        kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
        s = q @ kb.swapaxes(-1, -2) / D**0.5
        if causal or L == 1:
            keep = np.arange(j, j + kb.shape[-2]) <= np.arange(L)[:, None] + s_last
            s = np.where(keep, s, -np.inf)
        new = np.maximum(m, s.max(-1, keepdims=True))
        p, a = np.exp(s - new), np.exp(m - new)
        l, o, m = l * a + p.sum(-1, keepdims=True), o * a + p @ vb, new
    return (o / np.where(l == 0, 1, l)).astype(q.dtype)
