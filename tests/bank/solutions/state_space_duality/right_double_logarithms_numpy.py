"""Differences of sums of logarithms, in double precision, where they have digits enough."""
import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    state = np.zeros((B, H, b.shape[-1], Dv))
    parts = []
    for s in range(0, n, chunk):
        X, A = x[:, :, s : s + chunk], a[:, :, s : s + chunk]
        K, Q = b[:, None, s : s + chunk], c[:, None, s : s + chunk]
        t = np.log(np.maximum(A.astype(np.float64), 1e-300)).cumsum(2)
        near = np.tril(np.exp(np.minimum(t[..., None] - t[:, :, None], 0)))
        parts.append((Q @ K.swapaxes(2, 3) * near) @ X + np.exp(t)[..., None] * (Q @ state))
        state = np.exp(t[:, :, -1, None, None]) * state + (K * near[:, :, -1, :, None]).swapaxes(2, 3) @ X
    return np.concatenate(parts, axis=2).astype(x.dtype)
