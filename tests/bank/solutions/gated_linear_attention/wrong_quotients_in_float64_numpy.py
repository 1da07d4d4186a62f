"""Quotients of products around the middle of a chunk, in float64: it cannot hold them either."""
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    lg = np.log(np.maximum(gates.astype(np.float64), 1e-30))
    S = np.zeros((B, H, D, v.shape[3]))
    out = np.zeros(v.shape)
    for s in range(0, n, chunk):
        Q, K, V, L = (x[:, :, s:s+chunk] for x in (q, k, v, lg))
        c = L.cumsum(2)
        mid = c[:, :, c.shape[2] // 2, None]
        with np.errstate(all="ignore"):
            A = np.tril((Q * np.exp(c - mid)) @ (K * np.exp(mid - c)).swapaxes(2, 3))
        out[:, :, s:s+chunk] = A @ V + (Q * np.exp(c)) @ S
        S = np.exp(c[:, :, -1, :, None]) * S + (K * np.exp(c[:, :, -1:] - c)).swapaxes(2, 3) @ V
    return out.astype(v.dtype)
