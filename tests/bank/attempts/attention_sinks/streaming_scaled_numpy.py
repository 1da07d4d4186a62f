"""The first token is the sink, scaled like a score."""
# causes: sink_takes_the_first_value, sink_scaled

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    s = np.concatenate([np.broadcast_to(sinks[:, None, None], (B, H, L, 1)), q @ k.swapaxes(2, 3)], -1)
    s = s / np.sqrt(D)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    w[..., 1] += w[..., 0]
    return w[..., 1:] @ v
