"""Takes the k best of rounded probabilities instead of logits."""

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    x = np.asarray(logits)
    if temperature == 0:
        return int(np.argmax(x))
    e = np.exp((x - x.max()) / x.dtype.type(temperature))
    p = e / e.sum()
    o = np.argsort(-p, kind="stable")
    if 0 < top_k < len(o):
        p = p.copy()
        p[o[top_k:]] = 0
        p /= p.sum()
    if top_p < 1:
        c = np.cumsum(p[o])
        n = int(np.sum(c < x.dtype.type(top_p))) + 1
        p[o[n:]] = 0
    c = np.cumsum(p, dtype=np.float64)
    c /= c[-1]
    return int(np.nonzero((c > u) & (p > 0))[0][0]) if (c > u).any() else int(np.nonzero(p)[0][-1])
