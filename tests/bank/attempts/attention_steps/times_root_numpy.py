"""Multiply by the root to bring the scores to scale; one maximum for all."""
# causes: multiplied_by_root, maximum_of_everything

import numpy as np


def attention_steps(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = np.einsum("id,jd->ij", q, k)
    scaled = scores * np.sqrt(q.shape[1])
    e = np.exp(scaled - scaled.max())
    weights = e / e.sum(axis=1, keepdims=True)
    return scores, scaled, weights, np.einsum("ij,jd->id", weights, v)
