"""Gated linear attention, chunk by chunk, in logarithms (Yang et al. 2023, section 4)."""

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    """q, k, gates (B, H, n, D), v (B, H, n, Dv) -> (B, H, n, Dv)."""
    B, H, n, D = q.shape
    logs = np.log(np.maximum(gates, 1e-30))  # 0 has no logarithm
    memory = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    output = []
    for start in range(0, n, chunk):
        part = slice(start, start + chunk)
        query, key, value = q[:, :, part], k[:, :, part], v[:, :, part]  # (B, H, C, ...)

        since = np.cumsum(logs[:, :, part], axis=2)  # (B, H, C, D), all gates of the chunk so far
        between = since[:, :, :, None] - since[:, :, None]  # (B, H, C, C, D), j < gates <= i
        fade = np.exp(np.minimum(between, 0))  # what lies ahead is positive, and not needed
        scores = np.einsum("bhid,bhijd,bhjd->bhij", query, fade, key)
        inside = np.tril(scores) @ value  # what a token reads of its own chunk

        before = (query * np.exp(since)) @ memory
        output.append(inside + before)
        kept = np.exp(since[:, :, -1, :, None])  # (B, H, D, 1), of the memory after the chunk
        memory = kept * memory + (key * fade[:, :, -1]).swapaxes(-2, -1) @ value
    return np.concatenate(output, axis=2)
