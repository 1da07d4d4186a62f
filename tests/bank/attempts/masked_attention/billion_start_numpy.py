"""-1e9 for hidden keys, and tril for the past."""
# causes: hidden_row_uniform, aligned_to_start

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = np.matmul(q, k.swapaxes(1, 2)) / np.sqrt(D)
    if padding_mask is not None:
        scores = np.where(padding_mask[:, None, :], scores, -1e9)
    if causal:
        scores = np.where(np.tril(np.ones((L, S))) == 0, -1e9, scores)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
