"""np.argsort(logits)[::-1]."""
# causes: equals_the_other_way_round

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(logits, kind="stable")[::-1]
    if top_k > 0:
        order = order[:top_k]
    z = logits[order].astype(float) / temperature
    p = np.exp(z - z.max())
    p = p / p.sum()
    keep = (np.cumsum(p) - p < top_p) & (p > 0)
    idx = np.sort(order[keep])
    z = logits[idx].astype(float) / temperature
    q = np.exp(z - z.max())
    c = np.cumsum(q / q.sum())
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
