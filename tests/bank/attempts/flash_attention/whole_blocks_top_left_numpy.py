"""There are S // block_size blocks, and query i sees the keys up to i."""
# causes: last_block_left_out, aligned_to_the_start

import math

import numpy as np


def _update(state, s, vb):
    m, l, o = state
    m2 = np.maximum(m, s.max(axis=-1))
    ref = np.where(np.isfinite(m2), m2, 0).astype(s.dtype)
    keep = np.exp(m - ref)
    p = np.exp(s - ref[..., None])
    return m2, l * keep + p.sum(axis=-1), o * keep[..., None] + p @ vb


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    block_size = min(block_size, S)
    n_blocks = S // block_size
    lead = q.shape[:-1]
    state = (
        np.full(lead, -np.inf, dtype=q.dtype),
        np.zeros(lead, dtype=q.dtype),
        np.zeros(lead + v.shape[-1:], dtype=q.dtype),
    )
    for b in range(n_blocks):
        span = slice(b * block_size, (b + 1) * block_size)
        s = np.einsum("...ld,...sd->...ls", q, k[..., span, :]) / math.sqrt(q.shape[-1])
        if causal:
            j = np.arange(S)[span]
            s[..., j[None, :] > np.arange(L)[:, None]] = -np.inf
        state = _update(state, s, v[..., span, :])
    _, l, o = state
    return o / np.maximum(l, np.finfo(q.dtype).tiny)[..., None]
