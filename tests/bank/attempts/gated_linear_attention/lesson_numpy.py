"""Chunks in logarithms, a state between them."""
# causes: none

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk: int) -> np.ndarray:
    B, H, n, D = q.shape
    log_g = np.log(np.clip(gates, 1e-30, None))
    state = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.empty_like(v)
    for s in range(0, n, chunk):
        e = min(s + chunk, n)
        qc, kc, vc = q[:, :, s:e], k[:, :, s:e], v[:, :, s:e]
        b = np.cumsum(log_g[:, :, s:e], axis=2)
        causal = np.tril(np.ones((e - s, e - s), dtype=bool))[:, :, None]
        decay = np.exp(np.where(causal, b[:, :, :, None] - b[:, :, None], -1e9))
        scores = (qc[:, :, :, None] * decay * kc[:, :, None]).sum(axis=-1)
        out[:, :, s:e] = scores @ vc + (qc * np.exp(b)) @ state
        rest = np.exp(b[:, :, -1:] - b)
        state = np.exp(b[:, :, -1])[..., None] * state + (kc * rest).swapaxes(2, 3) @ vc
    return out
