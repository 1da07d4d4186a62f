"""Top p before top k."""
# causes: nucleus_of_all_words

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    z = logits.astype(float) / temperature
    order = np.argsort(-z, kind="stable")
    p = np.exp(z[order] - z[order[0]])
    p = p / p.sum()
    order = order[(np.cumsum(p) - p < top_p) & (p > 0)]
    if top_k > 0:
        order = order[:top_k]
    idx = np.sort(order)
    q = np.exp(z[idx] - z[idx].max())
    c = np.cumsum(q / q.sum())
    return int(idx[min(np.searchsorted(c, u, side="right"), len(idx) - 1)])
