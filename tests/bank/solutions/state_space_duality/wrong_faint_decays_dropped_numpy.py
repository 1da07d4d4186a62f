import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, E = x.shape
    a = np.where(a < 1e-6, 0, a)
    state = np.zeros((B, H, b.shape[-1], E), dtype=x.dtype)
    out = np.empty(x.shape, dtype=x.dtype)
    for at in range(0, n, chunk):
        X, A = x[:, :, at : at + chunk], a[:, :, at : at + chunk]
        Bk, Ck = b[:, None, at : at + chunk], c[:, None, at : at + chunk]
        m = X.shape[2]
        L = np.repeat(A[..., None], m, axis=-1)
        L = np.where(np.tri(m, m, -1, dtype=bool), L, 1)
        L = np.tril(np.cumprod(L, axis=-2))
        since = np.cumprod(A, axis=-1)[..., None]
        out[:, :, at : at + m] = (Ck @ np.swapaxes(Bk, -1, -2) * L) @ X + since * (Ck @ state)
        state = since[..., -1:, :] * state + np.swapaxes(L[..., -1, :, None] * Bk, -1, -2) @ X
    return out
