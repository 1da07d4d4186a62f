"""A loop over chunks with a table of products in each."""
# causes: none

import numpy as np


def ssd(x, a, b, c, chunk) -> np.ndarray:
    B, H, n, Dv = x.shape
    h = np.zeros((B, H, b.shape[2], Dv), dtype=x.dtype)
    y = np.empty_like(x)
    for s in range(0, n, chunk):
        xc, ac, bc, cc = x[:, :, s : s + chunk], a[:, :, s : s + chunk], b[:, s : s + chunk], c[:, s : s + chunk]
        m = xc.shape[2]
        mask = np.tril(np.ones((m, m), dtype=bool), -1)
        L = np.tril(np.cumprod(np.where(mask, ac[..., None], 1), axis=-2))
        inner = ((cc @ bc.swapaxes(1, 2))[:, None] * L) @ xc
        since = np.cumprod(ac, axis=-1)
        y[:, :, s : s + chunk] = inner + (cc[:, None] * since[..., None]) @ h
        new = (bc[:, None] * L[:, :, -1][..., None]).swapaxes(2, 3) @ xc
        h = since[:, :, -1, None, None] * h + new
    return y
