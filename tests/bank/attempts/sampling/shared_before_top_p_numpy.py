"""Share once after top k, then cut and draw."""
# causes: not_shared_anew_after_top_p

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    scaled = logits.astype(np.float64) / temperature
    order = np.argsort(-scaled, kind="stable")
    if top_k > 0:
        order = order[:top_k]
    p = np.exp(scaled[order] - scaled[order].max())
    p = p / p.sum()
    if top_p < 1:
        n = np.searchsorted(np.cumsum(p), top_p) + 1
        order, p = order[:n], p[:n]
    back = np.argsort(order)
    order, p = order[back], p[back]
    cum = np.cumsum(p)
    for i, c in zip(order, cum):
        if c > u:
            return int(i)
    return int(order[-1])
