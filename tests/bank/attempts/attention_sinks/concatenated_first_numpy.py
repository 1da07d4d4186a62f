"""The sink comes first, scaled with the rest, and the last column is dropped."""
# causes: sink_scaled, sink_first_and_last_column_dropped

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    sink = np.tile(sinks[None, :, None, None], (B, 1, L, 1))
    logits = np.concatenate([sink, q @ k.swapaxes(-1, -2)], axis=-1) / np.sqrt(D)
    e = np.exp(logits - logits.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w[..., :-1] @ v
