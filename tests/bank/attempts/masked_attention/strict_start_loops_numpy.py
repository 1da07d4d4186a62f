"""A query sees the keys with a smaller number."""
# causes: diagonal_hidden, aligned_to_start

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
    weights = np.zeros((B, L, S))
    for b in range(B):
        for i in range(L):
            keep = np.ones(S, dtype=bool) if padding_mask is None else padding_mask[b].copy()
            if causal:
                keep[i:] = False
            if keep.any():
                s = k[b][keep] @ q[b, i] / np.sqrt(D)
                e = np.exp(s - s.max())
                weights[b, i, keep] = e / e.sum()
    return weights @ v, weights
