"""Row by row, into zeros."""
# causes: none

import numpy as np


def self_attention_with_mask(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    n = len(x)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    output = np.zeros((n, v.shape[1]))
    weights = np.zeros((n, n))
    for i in range(n):
        s = np.array([q[i] @ k[j] for j in range(n)]) / np.sqrt(q.shape[1])
        if mask is not None:
            s = s + mask[i]
        e = np.exp(s - s.max())
        weights[i] = e / e.sum()
        output[i] = weights[i] @ v
    return output, weights
