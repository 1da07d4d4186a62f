"""/= for the temperature, and the words in the order of rank."""
# causes: cooled_in_place, in_the_order_of_rank

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    logits /= temperature
    order = np.argsort(-logits, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    p = np.exp((logits[order] - logits[order[0]]).astype(float))
    p /= p.sum()
    keep = (np.cumsum(p) - p < top_p) & (p > 0)
    order, p = order[keep], p[keep]
    c = np.cumsum(p / p.sum())
    return int(order[min(np.searchsorted(c, u, side="right"), len(order) - 1)])
