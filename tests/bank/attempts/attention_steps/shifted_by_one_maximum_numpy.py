"""Take off the maximum for safety and go on."""
# causes: maximum_left_in_scaled, maximum_of_everything

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / np.sqrt(q.shape[1])
    scaled = scaled - np.max(scaled)
    weights = np.exp(scaled) / np.exp(scaled).sum(axis=-1, keepdims=True)
    return scores, scaled, weights, weights @ v
