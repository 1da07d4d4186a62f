"""The sink comes first; the last column is dropped."""
# causes: sink_first_and_last_column_dropped

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    scores = np.concatenate([np.zeros((B, H, L, 1)) + sinks.reshape(1, H, 1, 1), scores], -1)
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    w = scores / scores.sum(-1, keepdims=True)
    return (w[..., :-1] @ v).astype(q.dtype)
