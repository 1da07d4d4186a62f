"""Two loops over queries and keys of a matrix."""
# causes: other: works with two axes only, scale_ignored

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    L, S, d = q.shape[0], k.shape[0], q.shape[1]
    scores = np.zeros((L, S))
    for i in range(L):
        for j in range(S):
            scores[i, j] = np.dot(q[i], k[j]) / np.sqrt(d)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ v, weights
