"""exp, set hidden ones to 0, divide."""
# causes: no_maximum

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
        e = np.where(padding_mask[:, None, :], e, 0)
    if causal:
        e = np.where(np.arange(S) <= np.arange(L)[:, None] + S - L, e, 0)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ v, weights
