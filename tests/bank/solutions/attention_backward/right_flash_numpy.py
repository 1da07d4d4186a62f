"""Right: as in flash attention, blocks of 16 keys with a running maximum and sum (kept apart,
no logarithm), and a second pass that works the weights out again; delta = rowsum(dO * O)."""
import numpy as np

BLOCK = 16


def attention_backward(q, k, v, grad_output, causal=False):
    L, D = q.shape[-2:]
    S, Dv = v.shape[-2:]
    n = 1
    for size in q.shape[:-2]:
        n *= size
    qf = q.reshape(n, L, D)
    kf = k.reshape(n, S, D)
    vf = v.reshape(n, S, Dv)
    gf = grad_output.reshape(n, L, Dv)
    dtype = q.dtype
    scale = D ** -0.5
    last_seen = np.arange(L)[:, None] + (S - L)

    def scores(a, b):
        s = np.matmul(qf, kf[:, a:b].swapaxes(1, 2))
        s *= scale
        if causal:
            s[:, np.arange(a, b)[None, :] > last_seen] = -np.inf
        return s

    m = np.full((n, L, 1), -np.inf, dtype=dtype)
    l = np.zeros((n, L, 1), dtype=dtype)
    o = np.zeros((n, L, Dv), dtype=dtype)
    for a in range(0, S, BLOCK):
        b = min(a + BLOCK, S)
        s = scores(a, b)
        m_new = np.maximum(m, s.max(axis=-1, keepdims=True))
        safe = np.where(np.isneginf(m_new), dtype.type(0), m_new)
        p = np.exp(s - safe)
        fix = np.exp(m - safe)
        l = l * fix + p.sum(axis=-1, keepdims=True)
        o = o * fix + p @ vf[:, a:b]
        m = m_new
    m = np.where(np.isneginf(m), dtype.type(0), m)
    l = np.where(l == 0, dtype.type(1), l)
    delta = np.sum(gf * (o / l), axis=-1, keepdims=True)

    dq = np.zeros((n, L, D), dtype=dtype)
    dk = np.empty((n, S, D), dtype=dtype)
    dv = np.empty((n, S, Dv), dtype=dtype)
    for a in range(0, S, BLOCK):
        b = min(a + BLOCK, S)
        p = np.exp(scores(a, b) - m) / l
        pt = p.swapaxes(1, 2)
        dv[:, a:b] = pt @ gf
        ds = p * (gf @ vf[:, a:b].swapaxes(1, 2) - delta)
        ds *= scale
        dq += ds @ kf[:, a:b]
        dk[:, a:b] = ds.swapaxes(1, 2) @ qf
    return dq.reshape(q.shape), dk.reshape(k.shape), dv.reshape(v.shape)
