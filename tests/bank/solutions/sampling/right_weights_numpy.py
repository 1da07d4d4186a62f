"""Unnormalised weights, and u times their sum."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    rank = np.lexsort((np.arange(logits.size), -logits))
    if temperature == 0:
        return rank[0]
    w = np.exp((logits.astype(np.float64) - float(logits.max())) / temperature)
    w[rank[top_k:]] *= 0 if top_k else 1
    left = w[rank]
    w[rank[np.cumsum(left) - left >= top_p * w.sum()]] *= 0 if top_p < 1 else 1
    c = np.cumsum(w)
    return min(int((c <= u * c[-1]).sum()), int(np.flatnonzero(w)[-1]))
