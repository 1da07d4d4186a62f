# wrong: biases above a thousand are cut off
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / np.sqrt(x.dtype.type(q.shape[1]))
    if mask is not None:
        scores = scores + np.minimum(mask, 1000)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
