"""The sum of logarithms stops at -30, so tokens behind small gates fade no more."""
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    state = np.zeros((B, H, D, v.shape[-1]), v.dtype)
    rows = []
    for s in range(0, n, chunk):
        Q, K, V, G = (x[:, :, s : s + chunk] for x in (q, k, v, gates))
        later = np.tri(Q.shape[2], k=-1, dtype=bool)[:, :, None]
        fade = np.cumprod(np.where(later, G[:, :, :, None], v.dtype.type(1)), axis=2)
        since = np.cumprod(G, axis=2)
        total = np.maximum(np.cumsum(np.log(np.maximum(G, 1e-30)), axis=2), -30)
        fade = np.exp(np.minimum(total[:, :, :, None] - total[:, :, None], 0))
        near = np.tril(np.einsum("bhid,bhijd,bhjd->bhij", Q, fade, K)) @ V
        rows.append(near + (Q * since) @ state)
        state = since[:, :, -1, :, None] * state + (K * fade[:, :, -1]).swapaxes(2, 3) @ V
    return np.concatenate(rows, axis=2)
