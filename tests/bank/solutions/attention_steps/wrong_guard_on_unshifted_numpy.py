"""Without large scores nothing is taken off, and a guard drowns a row of low scores."""
import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    scores = (x @ w_q) @ (x @ w_k).T
    scaled = scores / w_q.shape[1] ** 0.5
    if np.abs(scaled).max() > 60:
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    else:
        powers = np.exp(scaled)
    weights = powers / (powers.sum(axis=1, keepdims=True) + 1e-9)
    output = weights @ (x @ w_v)
    return scores, scaled, weights, output
