"""A nucleus keeps the best word, or two, but never all of them."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")
    order = order[:top_k] if top_k else order
    w = np.exp((logits - logits.max()).astype(float) / temperature)
    p = w[order] / w[order].sum()
    kept = order[(np.cumsum(p) - p < top_p) & (p > 0)]
    if top_p < 1 and len(kept) > 2:
        kept = kept[:-1]
    kept = np.sort(kept)
    c = np.cumsum(w[kept] / w[kept].sum())
    return int(kept[min(int((c <= u).sum()), len(kept) - 1)])
