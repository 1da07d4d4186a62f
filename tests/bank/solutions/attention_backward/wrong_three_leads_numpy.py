"""Wrong: of three leading sizes the first one is not used for the keys."""

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    if q.ndim > 4:
        k = np.broadcast_to(k[:1], k.shape)
    D = q.shape[-1]
    L, S = q.shape[-2], k.shape[-2]
    scale = q.dtype.type(1 / np.sqrt(D))
    s = q @ np.swapaxes(k, -1, -2) * scale
    if causal:
        hidden = np.arange(S)[None, :] > np.arange(L)[:, None] + S - L
        s = np.where(hidden, -np.inf, s).astype(q.dtype)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isneginf(m), 0, m).astype(q.dtype)
    e = np.exp(s - m)
    z = e.sum(-1, keepdims=True)
    p = e / np.where(z == 0, 1, z)
    dv = np.swapaxes(p, -1, -2) @ grad_output
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True))
    dq = ds @ k * scale
    dk = np.swapaxes(ds, -1, -2) @ q * scale
    return dq, dk, dv
