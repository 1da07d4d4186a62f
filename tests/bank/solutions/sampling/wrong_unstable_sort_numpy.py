"""The order of equal words is left to quicksort."""

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits)
    if 0 < top_k < len(order):
        order = order[:top_k]
    best = logits[order] / temperature
    p = np.exp(best - best[0])
    p = p / p.sum()
    before = np.cumsum(p) - p
    kept = np.sort(order[before < top_p])
    q = np.exp((logits[kept] - logits.max()) / temperature)
    edges = np.cumsum(q) / q.sum()
    at = np.searchsorted(edges, u, side="right")
    possible = np.flatnonzero(q)
    return int(kept[min(at, possible[-1])])
