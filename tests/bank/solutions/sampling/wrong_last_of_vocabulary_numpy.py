"""The last index where no sum is above u."""
import numpy as np


def next_token(logits, temperature, top_k, top_p, u):
    if temperature == 0:
        return int(np.argmax(logits))
    order = np.argsort(-logits, kind="stable")
    order = order[:top_k] if top_k else order
    z = ((logits - logits.max()) / temperature).astype(np.float32)
    p = np.exp(z[order]) / np.exp(z[order]).sum()
    full = np.zeros(len(logits), dtype=np.float32)
    kept = order[np.cumsum(p) - p < top_p]
    full[kept] = np.exp(z[kept]) / np.exp(z[kept]).sum()
    at = np.searchsorted(np.cumsum(full), np.float32(u), side="right")
    return int(min(at, len(logits) - 1))
