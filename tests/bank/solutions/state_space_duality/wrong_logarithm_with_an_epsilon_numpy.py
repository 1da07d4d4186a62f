"""log(a + 1e-8) and differences of its sums."""
import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    state = np.zeros((B, H, b.shape[-1], Dv), x.dtype)
    parts = []
    for s in range(0, n, chunk):
        X, A = x[:, :, s : s + chunk], a[:, :, s : s + chunk]
        K, Q = b[:, None, s : s + chunk], c[:, None, s : s + chunk]
        m = A.shape[-1]
        t = np.log(A + np.float32(1e-8)).astype(x.dtype).cumsum(2)
        near = np.tril(np.exp(np.minimum(t[..., None] - t[:, :, None], 0)))
        since = A.cumprod(2)
        parts.append((Q @ K.swapaxes(2, 3) * near) @ X + since[..., None] * (Q @ state))
        state = since[:, :, -1, None, None] * state + (K * near[:, :, -1, :, None]).swapaxes(2, 3) @ X
    return np.concatenate(parts, axis=2)
