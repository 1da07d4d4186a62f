"""The formula line by line."""
# causes: none

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    D = q.shape[-1]
    L, S = q.shape[-2], k.shape[-2]
    scores = q @ np.swapaxes(k, -2, -1) / np.sqrt(D)
    scores = cap * np.tanh(scores / cap)
    if causal:
        mask = np.tril(np.ones((L, S), dtype=bool), k=S - L)
    else:
        mask = np.ones((L, S), dtype=bool)
    scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    return (e / np.where(total == 0, 1, total)) @ v
