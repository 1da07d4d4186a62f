"""The result lies in a buffer that the next call uses again."""
import numpy as np

_buf = {}


def flash_attention(q, k, v, block_size, causal=False):
    L, D = q.shape[-2:]
    S, Dv = v.shape[-2:]
    key = (q.shape, Dv, q.dtype)
    if key not in _buf:
        _buf[key] = np.empty(q.shape[:-1] + (Dv,), q.dtype)
    o = _buf[key]
    o[...] = 0
    m = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    l = np.zeros_like(m)
    for c in range(0, S, block_size):
        e = min(c + block_size, S)
        s = q @ np.swapaxes(k[..., c:e, :], -1, -2) * q.dtype.type(D**-0.5)
        if causal:
            s = np.where(np.arange(c, e) > np.arange(L)[:, None] + S - L, -np.inf, s).astype(q.dtype)
        new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isfinite(new), new, 0)
        p, al = np.exp(s - safe), np.exp(m - safe)
        o *= al
        o += p @ v[..., c:e, :]
        l, m = l * al + p.sum(-1, keepdims=True), new
    o /= np.where(l == 0, 1, l)
    return o
