"""Mask with minus infinity, and keep empty rows at zero."""
# causes: none

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    B, L, D = q.shape
    S = k.shape[1]
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(D)
    visible = np.ones((B, L, S), dtype=bool)
    if padding_mask is not None:
        visible &= padding_mask[:, None, :]
    if causal:
        visible &= np.tril(np.ones((L, S), dtype=bool), k=S - L)
    scores = np.where(visible, scores, -np.inf)
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isinf(m), 0, m))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ v, weights
