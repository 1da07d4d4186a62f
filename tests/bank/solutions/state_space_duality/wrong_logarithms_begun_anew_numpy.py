"""Sums of logarithms begin anew only behind decays below 1e-20."""
import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    C = min(chunk, 64)
    y = np.empty(x.shape, x.dtype)
    h = np.zeros((B, H, b.shape[2], Dv), x.dtype)
    with np.errstate(divide="ignore"):
        la = np.log(a)
    for s in range(0, n, C):
        sl = slice(s, min(s + C, n))
        m = sl.stop - s
        tri = np.tril(np.ones((m, m), bool))
        # segments by differences, begun anew after each decay below 1e-20
        cs = np.cumsum(np.where(a[:, :, sl] < 1e-20, 0, la[:, :, sl]), axis=2)
        seg = np.cumsum(a[:, :, sl] < 1e-20, axis=2)
        same = seg[..., :, None] == seg[..., None, :]
        L = np.where(tri & same, np.exp(np.minimum(cs[..., :, None] - cs[..., None, :], 0)), 0).astype(x.dtype)
        g = c[:, None, sl] @ b[:, None, sl].swapaxes(-1, -2)
        cum = np.where(seg == 0, np.exp(cs), 0).astype(x.dtype)
        y[:, :, sl] = (g * L) @ x[:, :, sl] + cum[..., None] * (c[:, None, sl] @ h)
        h = cum[:, :, -1, None, None] * h
        h += (b[:, None, sl] * L[:, :, -1, :, None]).swapaxes(-1, -2) @ x[:, :, sl]
    return y
