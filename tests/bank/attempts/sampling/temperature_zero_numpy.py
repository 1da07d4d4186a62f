"""Divide by max(temperature, 1e-8)... no: by the temperature."""
# causes: divided_by_zero

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    z = logits.astype(float) / np.float64(temperature)
    order = np.argsort(-z, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    p = np.exp(z[order] - z[order[0]])
    p = p / p.sum()
    keep = (np.cumsum(p) - p < top_p) & (p > 0)
    idx = np.sort(order[keep])
    q = np.exp(z[idx] - z[idx].max())
    c = np.cumsum(q / q.sum())
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
