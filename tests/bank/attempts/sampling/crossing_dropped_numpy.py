"""cumsum <= p."""
# causes: without_the_word_that_reaches

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")
    order = order[:top_k] if top_k > 0 else order
    z = logits[order].astype(float) / temperature
    p = np.exp(z - z.max())
    p = p / p.sum()
    keep = (np.cumsum(p) <= top_p) & (p > 0)
    if top_p >= 1:
        keep = p > 0
    keep[0] = True
    idx = np.sort(order[keep])
    z = logits[idx].astype(float) / temperature
    q = np.exp(z - z.max())
    c = np.cumsum(q / q.sum())
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
