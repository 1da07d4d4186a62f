"""Everything right but the row that sees nothing."""
# causes: hidden_row_nan

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = cap * np.tanh(q @ np.swapaxes(k, -2, -1) / (np.sqrt(D) * cap))
    if causal:
        scores = scores + np.where(np.tri(L, S, S - L), 0, -np.inf)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True) @ v
