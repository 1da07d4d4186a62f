import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    out = np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
    for i in range(0, L - L % min(block_size, L), min(block_size, L)):
        rows = slice(i, i + min(block_size, L))
        m, l, o = -1e30, 0.0, 0.0
        for j in range(0, S, block_size):
            kb, vb = k[..., j : j + block_size, :], v[..., j : j + block_size, :]
            s = q[..., rows, :] @ kb.swapaxes(-1, -2) / D**0.5
            if causal:
                keep = np.arange(j, j + kb.shape[-2]) <= np.arange(L)[rows, None] + S - L
                s = np.where(keep, s, -np.inf)
            new = np.maximum(m, s.max(-1, keepdims=True))
            p, a = np.exp(s - new), np.exp(m - new)
            l, o, m = l * a + p.sum(-1, keepdims=True), o * a + p @ vb, new
        out[..., rows, :] = o / np.where(l == 0, 1, l)
    return out
