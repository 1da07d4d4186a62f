"""Multiply by the temperature; p alone against top_p."""
# causes: times_temperature, more_likely_than_top_p

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    z = logits.astype(float) * temperature
    order = np.argsort(-z, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    p = np.exp(z[order] - z[order[0]])
    p = p / p.sum()
    keep = p >= top_p if top_p < 1 else p > 0
    keep[0] = True
    idx = np.sort(order[keep])
    q = np.exp(z[idx] - z[idx].max())
    c = np.cumsum(q / q.sum())
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
