"""Sort, cut, sum up, look for u."""
# causes: none

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(logits.argmax())
    z = logits.astype(np.float64) / temperature
    order = np.lexsort((np.arange(len(z)), -z))
    if top_k:
        order = order[:top_k]
    p = np.exp(z[order] - z[order[0]])
    p /= p.sum()
    n = 1
    while n < len(p) and p[:n].sum() < top_p:
        n += 1
    full = np.zeros(len(z))
    full[order[:n]] = p[:n] / p[:n].sum()
    token = int(np.searchsorted(np.cumsum(full), u, side="right"))
    return min(token, int(np.flatnonzero(full).max()))
