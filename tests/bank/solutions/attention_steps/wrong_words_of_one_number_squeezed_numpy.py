"""Words of one number lose their axis."""

import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    if x.shape[-1] == 1:
        x = x.squeeze(-1)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / k.shape[-1] ** 0.5
    e = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return scores, scaled, weights, weights @ v
