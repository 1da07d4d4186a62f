"""-1e9 for what is hidden, and the softmax does the rest."""
# causes: hidden_row_uniform

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
        scores = np.where(padding_mask[:, None, :], scores, -1e9)
    if causal:
        scores = np.where(np.tril(np.ones((L, S)), k=S - L) == 1, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
