"""One more column, dropped after the softmax."""
# causes: none

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    sink = np.broadcast_to(sinks[None, :, None, None], (B, H, L, 1))
    logits = np.concatenate([scores, sink], axis=-1)
    logits = logits - logits.max(axis=-1, keepdims=True)
    e = np.exp(logits)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights[..., :-1] @ v
