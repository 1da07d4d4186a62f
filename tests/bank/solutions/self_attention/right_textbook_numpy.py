"""The lessons' usual lines: np.sqrt makes float64, and 1e-9 guards the division."""
import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.sqrt(k.shape[-1])
    exps = np.exp(scaled - np.max(scaled, axis=-1, keepdims=True))
    weights = exps / (exps.sum(axis=-1, keepdims=True) + 1e-9)
    return weights @ v, weights
