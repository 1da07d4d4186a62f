"""Right: float64 inside, each operand scaled by D to the power of 1/4, cast back at the end."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    wide = x.astype(np.float64)
    root = w_k.shape[1] ** 0.25
    q, k, v = wide @ w_q / root, wide @ w_k / root, wide @ w_v
    scores = np.inner(q, k)
    if mask is not None:
        scores += mask
    scores -= scores.max(1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(1, keepdims=True)
    return (weights @ v).astype(x.dtype), weights.astype(x.dtype)
