"""Right: blocks of 8192 rows in float64; takes the gradient at the largest weight off each row first, which by the
statement changes nothing and keeps digits (an eighth of all numbers, so that no difference overflows)."""
import numpy as np

ROWS = 8192


def _block(w, g):
    w = w.astype(np.float64)
    g = g.astype(np.float64) * 0.125
    anchor = np.take_along_axis(g, w.argmax(axis=1)[:, None], axis=1)
    g -= anchor
    g[w == 0] = 0
    mean = (w * g).sum(axis=1, keepdims=True)
    return w * (g - mean) * 8.0


def softmax_backward(weights, grad_weights):
    n = weights.shape[-1]
    w, g = weights.reshape(-1, n), grad_weights.reshape(-1, n)
    out = np.empty(w.shape, dtype=weights.dtype)
    for a in range(0, len(w), ROWS):
        out[a : a + ROWS] = _block(w[a : a + ROWS], g[a : a + ROWS])
    return out.reshape(weights.shape)
