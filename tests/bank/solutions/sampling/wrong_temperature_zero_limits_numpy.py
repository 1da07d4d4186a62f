"""Temperature 0 becomes a very small one, which equals share."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    temperature = max(temperature, 1e-9)
    order = np.argsort(-logits, kind="stable")
    order = order[:top_k] if top_k else order
    w = np.exp((logits - logits.max()).astype(float) / temperature)
    p = w[order] / w[order].sum()
    kept = np.sort(order[(np.cumsum(p) - p < top_p) & (p > 0)])
    c = np.cumsum(w[kept] / w[kept].sum())
    return int(kept[min(int((c <= u).sum()), len(kept) - 1)])
