"""Scaled and scores are one array, because /= works in place."""
import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    scores = (x @ w_q) @ (x @ w_k).T
    scaled = scores
    scaled /= w_q.shape[1] ** 0.5
    e = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return scores, scaled, weights, weights @ (x @ w_v)
