"""Multiply the scores by the mask."""
# causes: scores_times_mask|filled_with_zero

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(D)
    if padding_mask is not None:
        scores = scores * padding_mask[:, None, :]
    if causal:
        scores = scores * np.tril(np.ones((L, S)), k=S - L)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
