"""Wrong: words that cannot come get the logit -10 000, which others may have."""

import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    logits = np.maximum(logits.astype(np.float64), -10000)
    if temperature == 0:
        return int(np.argmax(logits))
    z = logits / temperature
    o = np.argsort(-z, kind="stable")
    if top_k:
        o = o[:top_k]
    w = np.exp(z[o] - z[o[0]])
    w /= w.sum()
    if top_p < 1:
        keep = np.cumsum(w) - w < top_p
        o, w = o[keep], w[keep]
    p = np.zeros(len(z))
    p[o] = w / w.sum()
    hit = np.flatnonzero((np.cumsum(p) > u) & (p > 0))
    return int(hit[0] if len(hit) else np.flatnonzero(p)[-1])
