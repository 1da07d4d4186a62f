# blocks of 512 tokens, and the summary between them is an array of float32
import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    B, n, D = q.shape
    Dv = v.shape[-1]
    fq, fk = phi(q), phi(k)
    out = np.empty((B, n, Dv), dtype=v.dtype)
    state = np.zeros((B, D, Dv), dtype=np.float32)
    norm = np.zeros((B, D, 1), dtype=np.float32)
    for s in range(0, n, 512):
        e = min(s + 512, n)
        a, b, c = fq[:, s:e], fk[:, s:e], v[:, s:e]
        near = np.tril(a @ b.transpose(0, 2, 1))
        num = near @ c + a @ state
        den = near.sum(axis=-1, keepdims=True) + a @ norm
        out[:, s:e] = num / den
        state += b.transpose(0, 2, 1) @ c
        norm += b.sum(axis=1)[:, :, None]
    return out
