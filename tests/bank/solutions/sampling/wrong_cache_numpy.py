"""Wrong: probabilities are kept by the settings, the number of words and the first logit."""

import numpy as np

KEPT = {}


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    key = len(logits), float(logits[0]), temperature, top_k, top_p
    if key not in KEPT:
        z = logits.astype(np.float64) / temperature
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
        KEPT[key] = p
    p = KEPT[key]
    hit = np.flatnonzero((np.cumsum(p) > u) & (p > 0))
    return int(hit[0] if len(hit) else np.flatnonzero(p)[-1])
