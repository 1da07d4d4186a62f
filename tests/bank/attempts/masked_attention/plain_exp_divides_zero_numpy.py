"""exp, set hidden ones to 0, divide by the sum."""
# causes: no_maximum, hidden_row_nan|renormalised_after_masking

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    e = np.exp(q @ k.transpose(0, 2, 1) / np.sqrt(D))
    if padding_mask is not None:
        e = e * padding_mask[:, None, :]
    if causal:
        e = e * np.tril(np.ones((L, S)), k=S - L)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
