"""Softmax, then the weights of hidden keys are 0."""
# causes: mask_after_softmax

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
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if padding_mask is not None:
        weights = weights * padding_mask[:, None, :]
    if causal:
        weights = weights * np.tril(np.ones((L, S)), k=S - L)
    return weights @ v, weights
