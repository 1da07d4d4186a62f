"""`if temperature`, and the words in the order of rank."""
# causes: zero_means_one, in_the_order_of_rank

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    z = logits.astype(float)
    if temperature:
        z = z / temperature
    order = np.argsort(-z, kind="stable")
    if top_k:
        order = order[:top_k]
    p = np.exp(z[order] - z[order[0]])
    p = p / p.sum()
    keep = (np.cumsum(p) - p < top_p) & (p > 0)
    order, p = order[keep], p[keep]
    c = np.cumsum(p / p.sum())
    return int(order[min(np.searchsorted(c, u, side="right"), len(order) - 1)])
