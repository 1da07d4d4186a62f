"""Output and weights first, as in other exercises."""
import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T
    scaled = scores / w_q.shape[1] ** 0.5
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ (x @ w_v), weights, scaled, scores
