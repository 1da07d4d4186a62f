"""Scores more than 20 below the maximum of a row count as 20 below it."""
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scale = q.dtype.type(1 / np.sqrt(D))
    s = (q @ np.swapaxes(k, -1, -2)) * scale
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(-1, keepdims=True)
    d = s - np.where(np.isfinite(m), m, 0).astype(s.dtype)
    e = np.exp(np.maximum(d, s.dtype.type(-20)))
    e = np.where(np.isfinite(s), e, 0).astype(s.dtype)
    den = e.sum(-1, keepdims=True)
    p = e / np.where(den > 0, den, 1)
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    return ds @ k, np.swapaxes(ds, -1, -2) @ q, np.swapaxes(p, -1, -2) @ grad_output
