"""Keys and values are expanded, but for a thousand tokens at a time, with a running maximum."""
import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    H = num_heads
    if w_uk.shape[1] % H or w_uv.shape[1] % H:
        raise ValueError("heads")

    def heads(a):
        return np.moveaxis(a.reshape(a.shape[0], a.shape[1], H, a.shape[2] // H), 2, 1)

    c = x @ w_dkv
    c = c if past is None else np.concatenate([past, c], axis=1)
    (B, n, _), S = x.shape, c.shape[1]
    q = heads(x @ w_q)
    q = q / np.sqrt(q.shape[-1], dtype=q.dtype)
    top = np.full((B, H, n, 1), -np.inf, dtype=q.dtype)
    total, mix = np.zeros_like(top), 0
    for start in range(0, S, 1000):
        part = c[:, start : start + 1000]
        s = q @ heads(part @ w_uk).swapaxes(2, 3)
        j = start + np.arange(part.shape[1])
        s = np.where(j <= np.arange(n)[:, None] + S - n, s, -np.inf).astype(q.dtype)
        best = np.maximum(top, s.max(-1, keepdims=True))
        shrink, w = np.exp(top - best), np.exp(s - best)
        total = total * shrink + w.sum(-1, keepdims=True)
        mix = mix * shrink + w @ heads(part @ w_uv)
        top = best
    return np.moveaxis(mix / total, 1, 2).reshape(B, n, -1) @ w_o
