"""The weights of the window, without further ado."""
# causes: no_maximum_subtracted

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    none = [(0, 0)] * (q.ndim - 2)
    kp = np.pad(k, [*none, (w, w), (0, 0)])
    vp = np.pad(v, [*none, (w, w), (0, 0)])
    j = np.arange(n)[:, None] + np.arange(2 * w + 1)  # places in the padded arrays
    s = np.einsum("...nd,...nwd->...nw", q, kp[..., j, :]) / d**0.5
    e = np.where((j >= w) & (j < n + w), np.exp(s), 0)
    p = e / e.sum(-1, keepdims=True)
    return np.einsum("...nw,...nwv->...nv", p, vp[..., j, :])
