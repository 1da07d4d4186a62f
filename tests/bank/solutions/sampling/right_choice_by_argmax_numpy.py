"""A Boolean row for what stays; argmax finds the first sum above u."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return np.argmax(logits)
    V = len(logits)
    z = (logits - logits.max()).astype(np.float64) / temperature
    place = np.empty(V, dtype=int)
    place[np.argsort(-logits, kind="stable")] = np.arange(V)
    w = np.where(place < (top_k or V), np.exp(z), 0)
    w = w / w.sum()
    better = np.array([w[place < r].sum() for r in place])
    w = np.where(better < top_p, w, 0)
    above = np.cumsum(w) / w.sum() > u
    return int(np.argmax(above)) if above.any() else int(np.flatnonzero(w)[-1])
