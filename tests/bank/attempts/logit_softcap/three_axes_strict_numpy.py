"""transpose(0, 2, 1), and only what comes before."""
# causes: axes_counted_from_the_front, diagonal_hidden

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = np.matmul(q, k.transpose(0, 2, 1)) / np.sqrt(D)
    scores = cap * np.tanh(scores / cap)
    keep = np.tril(np.ones((L, S)), S - L - 1) if causal else np.ones((L, S))
    scores = np.where(keep == 0, -1e9, scores)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * keep
    return np.matmul(e / (e.sum(axis=-1, keepdims=True) + 1e-9), v)
