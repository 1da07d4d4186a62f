"""A single word skips the maximum."""
import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / k.shape[-1] ** 0.5
    top = scaled.max(axis=-1, keepdims=True) if len(x) > 1 else 0
    e = np.exp(scaled - top)
    weights = e / e.sum(axis=-1, keepdims=True)
    return scores, scaled, weights, weights @ v
