"""The sums of the softmax of everything."""
# causes: not_shared_anew, nucleus_of_all_words

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    z = logits.astype(float) / temperature
    p = np.exp(z - z.max())
    p /= p.sum()
    order = np.argsort(-logits, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    before = np.cumsum(p[order]) - p[order]
    idx = np.sort(order[(before < top_p) & (p[order] > 0)])
    c = np.cumsum(p[idx])
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
