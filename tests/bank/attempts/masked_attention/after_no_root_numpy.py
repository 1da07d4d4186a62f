"""Softmax of the products, then the masks."""
# causes: mask_after_softmax, no_scale

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    L, S = q.shape[1], k.shape[1]
    scores = q @ k.transpose(0, 2, 1)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if padding_mask is not None:
        weights = weights * padding_mask[:, None, :]
    if causal:
        weights = weights * np.tril(np.ones((L, S)), k=S - L)
    return weights @ v, weights
