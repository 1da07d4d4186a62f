"""Wrong: 'Query i sees the keys j <= i + S - L'. Blocks of 64 keys that begin behind the FIRST query
of a block of queries are skipped whole. Shown by causal, L = 40, S = 70: keys 64... are lost."""
import numpy as np

BLOCK = 64


def attention_backward(q, k, v, grad_output, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scale = D ** -0.5
    dq = np.zeros(q.shape, dtype=q.dtype)
    dk = np.zeros(k.shape, dtype=k.dtype)
    dv = np.zeros(v.shape, dtype=v.dtype)
    for a in range(0, L, BLOCK):
        b = min(a + BLOCK, L)
        end = S
        if causal:
            # key blocks that start after the reach of this block of queries need no work
            starts = [j for j in range(0, S, BLOCK) if j <= a + S - L]
            end = min(S, starts[-1] + BLOCK) if starts else min(S, BLOCK)
        qb, gb, kb, vb = q[..., a:b, :], grad_output[..., a:b, :], k[..., :end, :], v[..., :end, :]
        s = (qb @ np.swapaxes(kb, -1, -2)) * scale
        if causal:
            see = np.arange(end)[None, :] <= np.arange(a, b)[:, None] + S - L
            s = np.where(see, s, -np.inf)
        m = s.max(axis=-1, keepdims=True)
        m = np.where(np.isneginf(m), np.zeros_like(m), m)
        p = np.exp(s - m)
        z = p.sum(axis=-1, keepdims=True)
        p = p / np.where(z > 0, z, np.ones_like(z))
        dv[..., :end, :] += np.swapaxes(p, -1, -2) @ gb
        dp = gb @ np.swapaxes(vb, -1, -2)
        ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) * scale
        dq[..., a:b, :] = ds @ kb
        dk[..., :end, :] += np.swapaxes(ds, -1, -2) @ qb
    return dq, dk, dv
