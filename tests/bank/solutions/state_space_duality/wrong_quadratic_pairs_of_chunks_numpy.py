"""Every chunk meets every chunk before it: right, and quadratic."""
import numpy as np


def ssd(x, a, b, c, chunk):
    n, chunk = x.shape[2], max(chunk, 512)
    y = np.zeros_like(x)
    for s in range(0, n, chunk):
        A, Q = a[:, :, s : s + chunk], c[:, None, s : s + chunk]
        m = A.shape[-1]
        K, X = b[:, None, s : s + chunk], x[:, :, s : s + chunk]
        near = np.tril(np.where(np.tri(m, k=-1), A[..., None], np.ones(1, a.dtype)).cumprod(2))
        y[:, :, s : s + chunk] = (Q @ K.swapaxes(2, 3) * near) @ X
        age = A.cumprod(2)[..., None]
        for r in range(s - chunk, -1, -chunk):
            P, k = a[:, :, r : r + chunk], b[:, None, r : r + chunk]
            until = np.flip(np.flip(np.concatenate([P[..., 1:], np.ones_like(P[..., :1])], 2), 2).cumprod(2), 2)
            y[:, :, s : s + chunk] += (age * (Q @ k.swapaxes(2, 3)) * until[:, :, None]) @ x[:, :, r : r + chunk]
            age = age * P.prod(2)[..., None, None]
    return y
