"""The first sum that is at least u: at 0, a word that was cut off."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")
    order = order[:top_k] if top_k else order
    w = np.exp((logits - logits.max()).astype(float) / temperature)
    p = w[order] / w[order].sum()
    kept = order[(np.cumsum(p) - p < top_p) & (p > 0)]
    full = np.zeros(len(logits))
    full[kept] = w[kept] / w[kept].sum()
    at = int(np.searchsorted(np.cumsum(full), u, side="left"))
    return min(at, int(kept.max()))
