"""A running mean: what is new counts 1 - a, and all heads share one decay."""
# causes: mean_decay, new_token_weighted

import numpy as np


def ssd(x, a, b, c, chunk):
    a = np.broadcast_to(a.mean(1, keepdims=True), a.shape)
    x = (1 - a)[..., None] * x
    h = np.zeros((*x.shape[:2], b.shape[-1], x.shape[-1]), x.dtype)
    y = np.zeros_like(x)
    for s in range(0, x.shape[2], chunk):
        e = s + chunk
        m = x[:, :, s:e].shape[2]
        below = np.arange(m)[:, None] > np.arange(m)
        L = np.tril(np.where(below, a[:, :, s:e, None], 1).cumprod(axis=2))
        scores = np.einsum("bid,bjd->bij", c[:, s:e], b[:, s:e])
        since = L[..., 0] * a[:, :, s : s + 1]
        y[:, :, s:e] = np.einsum("bhij,bhjv->bhiv", scores[:, None] * L, x[:, :, s:e])
        y[:, :, s:e] += np.einsum("bid,bhi,bhdv->bhiv", c[:, s:e], since, h)
        new = np.einsum("bjd,bhj,bhjv->bhdv", b[:, s:e], L[:, :, -1], x[:, :, s:e])
        h = h * since[:, :, -1, None, None] + new
    return y
