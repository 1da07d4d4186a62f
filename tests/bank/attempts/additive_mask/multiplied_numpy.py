"""A mask is multiplied."""
# causes: mask_multiplied, no_maximum

import numpy as np


def self_attention_with_mask(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / np.sqrt(q.shape[1])
    if mask is not None:
        scores = scores * mask
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return weights @ v, weights
