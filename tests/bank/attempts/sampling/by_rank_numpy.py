"""u falls on the sorted words."""
# causes: in_the_order_of_rank

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    z = logits[order].astype(float) / temperature
    p = np.exp(z - z.max())
    p = p / p.sum()
    keep = np.cumsum(p) - p < top_p
    p, order = p[keep], order[keep]
    c = np.cumsum(p) / p.sum()
    at = np.searchsorted(c, u, side="right")
    possible = np.count_nonzero(p) - 1
    return int(order[min(at, possible)])
