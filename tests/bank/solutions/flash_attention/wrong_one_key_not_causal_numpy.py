"""Nothing is hidden where there is one key."""

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    n, s = q.shape[-2], k.shape[-2]
    m = np.full(q.shape[:-1], -np.inf, q.dtype)
    l = np.zeros(q.shape[:-1], q.dtype)
    o = np.zeros(q.shape[:-1] + v.shape[-1:], q.dtype)
    q = q / np.sqrt(q.dtype.type(q.shape[-1]))
    last = np.arange(n) + s - n
    for start in range(0, s, block_size):
        x = q @ np.swapaxes(k[..., start : start + block_size, :], -1, -2)
        if causal and n > 1 and s > 1:
            x = np.where(np.arange(start, start + x.shape[-1]) <= last[:, None], x, -np.inf).astype(x.dtype)
        new = np.maximum(m, x.max(axis=-1))
        base = np.where(new == -np.inf, 0, new).astype(x.dtype)
        p = np.exp(x - base[..., None])
        fade = np.exp(m - base)
        l = l * fade + p.sum(axis=-1)
        o = o * fade[..., None] + p @ v[..., start : start + block_size, :]
        m = new
    return o / np.where(l == 0, 1, l).astype(l.dtype)[..., None]
