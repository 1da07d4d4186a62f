"""np.pad with mode edge, so that no zeros appear."""
# causes: ends_repeated

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    none = [(0, 0)] * (q.ndim - 2)
    kp = np.pad(k, [*none, (w, w), (0, 0)], mode="edge")
    vp = np.pad(v, [*none, (w, w), (0, 0)], mode="edge")
    j = np.arange(n)[:, None] + np.arange(2 * w + 1)
    s = np.einsum("...nd,...nwd->...nw", q, kp[..., j, :]) / d**0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("...nw,...nwv->...nv", e / e.sum(-1, keepdims=True), vp[..., j, :])
