"""Wrong: weights from the logarithm of their sum, which has too few digits left beside thousands."""

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scale = q.dtype.type(1.0 / np.sqrt(D))
    s = (q @ np.swapaxes(k, -1, -2)) * scale
    if causal:
        keep = np.tril(np.ones((L, S), dtype=bool), k=S - L)
        s = np.where(keep, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0).astype(s.dtype)
    e = np.exp(s - m)
    z = e.sum(-1, keepdims=True)
    lse = np.where(z > 0, m + np.log(np.where(z > 0, z, 1)), np.inf).astype(s.dtype)
    p = np.exp(s - lse)
    dv = np.swapaxes(p, -1, -2) @ grad_output
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    return ds @ k, np.swapaxes(ds, -1, -2) @ q, dv
