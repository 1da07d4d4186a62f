"""Pads to whole blocks of 32 and treats all blocks at once, with an exclusive running sum over blocks."""

import numpy as np


def causal_linear_attention(q, k, v, size=32):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    b, n, _ = q.shape
    v = np.concatenate([v, np.ones((b, n, 1), dtype=v.dtype)], axis=-1)
    fill = ((0, 0), (0, -n % size), (0, 0))
    q, k, v = (np.pad(x, fill).reshape(b, -1, size, x.shape[-1]) for x in (q, k, v))
    sums = k.swapaxes(-2, -1) @ v
    before = np.concatenate([np.zeros_like(sums[:, :1]), np.cumsum(sums, axis=1)[:, :-1]], axis=1)
    out = np.tril(q @ k.swapaxes(-2, -1)) @ v + q @ before
    out = out.reshape(b, -1, out.shape[-1])[:, :n]
    return out[..., :-1] / out[..., -1:]
