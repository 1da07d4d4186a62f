"""The first gate of a word for all its numbers, and no triangle in the chunk."""
# causes: gate_of_the_first_number, chunk_sees_ahead

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    b_all = np.log(np.maximum(gates[..., 0], 1e-30))
    S = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    rows = []
    for s in range(0, n, chunk):
        Q, K, V = (x[:, :, s : s + chunk] for x in (q, k, v))
        b = b_all[:, :, s : s + chunk].cumsum(axis=2)
        F = np.exp(np.minimum(b[..., None] - b[:, :, None], 0))
        rows.append((Q @ K.swapaxes(2, 3) * F) @ V + (Q * np.exp(b)[..., None]) @ S)
        S = np.exp(b[:, :, -1])[..., None, None] * S + (K * np.exp(b[:, :, -1:] - b)[..., None]).swapaxes(2, 3) @ V
    return np.concatenate(rows, axis=2)
