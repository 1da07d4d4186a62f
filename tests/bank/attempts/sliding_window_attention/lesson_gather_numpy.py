"""Gather the neighbours of every query."""
# causes: none

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    none = [(0, 0)] * (q.ndim - 2)
    kp = np.pad(k, [*none, (w, w), (0, 0)])
    vp = np.pad(v, [*none, (w, w), (0, 0)])
    j = np.arange(n)[:, None] + np.arange(2 * w + 1)  # places in the padded arrays
    s = np.einsum("...nd,...nwd->...nw", q, kp[..., j, :]) / d**0.5
    s = np.where((j >= w) & (j < n + w), s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True))
    e = e * ((j >= w) & (j < n + w))
    p = (e / e.sum(-1, keepdims=True)).astype(q.dtype)
    return np.einsum("...nw,...nwv->...nv", p, vp[..., j, :])
