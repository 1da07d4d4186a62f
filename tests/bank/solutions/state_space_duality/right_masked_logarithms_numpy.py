"""Segment sums of logarithms, masked before they are summed; minus infinity stands for a zero."""
import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    C = min(chunk, n)
    lack = -n % C
    wide = lambda m, axis: np.pad(m, [(0, lack if i == axis else 0) for i in range(m.ndim)])
    with np.errstate(divide="ignore"):
        logs = np.log(wide(a, 2)).reshape(B, H, -1, C)
    X = wide(x, 2).reshape(B, H, -1, C, Dv)
    K, Q = wide(b, 1).reshape(B, 1, -1, C, b.shape[2]), wide(c, 1).reshape(B, 1, -1, C, c.shape[2])
    low = np.tri(C, dtype=bool)
    sums = np.where(low, np.where(low & ~np.eye(C, dtype=bool), logs[..., None], 0).cumsum(3), -np.inf)
    near = np.exp(sums)
    since = np.exp(logs.cumsum(3))
    y = (Q @ K.swapaxes(3, 4) * near) @ X
    h = np.zeros((B, H, b.shape[2], Dv), x.dtype)
    for z in range(X.shape[2]):
        y[:, :, z] += since[:, :, z, :, None] * (Q[:, :, z] @ h)
        h = since[:, :, z, -1, None, None] * h + (K[:, :, z] * near[:, :, z, -1, :, None]).swapaxes(2, 3) @ X[:, :, z]
    return y.reshape(B, H, -1, Dv)[:, :, :n]
