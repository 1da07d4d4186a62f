"""Right: each operand scaled by d to the power of 1/4, everything in float64, cast back at the end."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    kind = q.dtype
    root = q.shape[2] ** 0.25
    a, b, c = q.astype(np.float64) / root, k.astype(np.float64) / root, v.astype(np.float64)
    scores = a @ b.transpose(0, 2, 1)
    seen = np.broadcast_to(True if padding_mask is None else padding_mask[:, None], scores.shape)
    if causal:
        seen = np.tril(seen, k.shape[1] - q.shape[1])
    scores = np.where(seen, scores, -1e300)
    e = np.where(seen, np.exp(scores - scores.max(2, keepdims=True)), 0.0)
    w = e / np.maximum(e.sum(2, keepdims=True), 1e-300)
    return (w @ c).astype(kind), w.astype(kind)
