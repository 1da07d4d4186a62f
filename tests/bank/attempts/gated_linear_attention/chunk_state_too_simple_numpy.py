"""A chunk hands on its sum as it is, and the state fades by the last gate."""
# causes: keys_not_faded, memory_fades_once_a_chunk

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    state = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    out = np.zeros_like(v)
    for s in range(0, n, chunk):
        Q, K, V, G = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        m = Q.shape[2]
        lower = np.tri(m, k=-1, dtype=bool)[..., None]
        F = np.cumprod(np.where(lower, G[:, :, :, None], np.ones_like(G)[:, :, :, None]), axis=2)
        A = np.tril(np.einsum("bhid,bhijd,bhjd->bhij", Q, F, K))
        out[:, :, s : s + chunk] = A @ V + (Q * np.cumprod(G, axis=2)) @ state
        state = G[:, :, -1, :, None] * state + K.swapaxes(2, 3) @ V
    return out
