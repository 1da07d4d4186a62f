"""np.tile, and -inf for the future."""
# causes: groups_in_turn, hidden_row_nan

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    k = np.tile(k, (1, H // G, 1, 1))
    v = np.tile(v, (1, H // G, 1, 1))
    scores = q @ np.swapaxes(k, 2, 3) / np.sqrt(D)
    if causal:
        scores = np.where(np.tril(np.ones((L, S)), S - L) == 1, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return weights @ v
