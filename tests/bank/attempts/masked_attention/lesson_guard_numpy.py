"""The same with 1e-9 in the denominator."""
# causes: none

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    D, L, S = q.shape[-1], q.shape[1], k.shape[1]
    scores = np.einsum("bld,bsd->bls", q, k) / np.sqrt(D)
    visible = np.ones(scores.shape, dtype=bool)
    if padding_mask is not None:
        visible = visible & padding_mask[:, None, :]
    if causal:
        visible = visible & (np.arange(S) <= np.arange(L)[:, None] + S - L)
    scores = np.where(visible, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * visible
    weights = e / (e.sum(axis=-1, keepdims=True) + 1e-9)
    return np.einsum("bls,bsv->blv", weights, v), weights
