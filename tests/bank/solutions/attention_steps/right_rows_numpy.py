"""Row by row, with a constant added before the softmax; scores as a non-contiguous array."""
import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    k, v = x @ w_k, x @ w_v
    scores = (k @ (x @ w_q).T).T
    scaled = scores / float(np.sqrt(k.shape[1]))
    weights = np.empty_like(scaled)
    for i, row in enumerate(scaled + 2.0):
        e = np.exp(row - row.max())
        weights[i] = e / e.sum()
    return scores, scaled, weights, weights @ v
