"""Both masks add the lowest number, and twice that is minus infinity."""

import numpy as np


def masked_attention(
    q: np.ndarray,
    k: np.ndarray,
    v: np.ndarray,
    padding_mask: np.ndarray | None = None,
    causal: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Scaled dot-product attention that looks only at the keys it may see."""
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    lowest = np.finfo(q.dtype).min
    scores = q @ k.transpose(0, 2, 1) / D**0.5
    seen = np.ones(scores.shape, dtype=bool)
    with np.errstate(over="ignore", invalid="ignore"):
        if padding_mask is not None:
            allowed = padding_mask[:, None, :]
            scores = scores + np.where(allowed, 0.0, lowest).astype(q.dtype)
            seen = seen & allowed
        if causal:
            past = np.tri(L, S, S - L, dtype=bool)
            scores = scores + np.where(past, 0.0, lowest).astype(q.dtype)
            seen = seen & past
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    weights = weights * seen  # rows that see nothing
    return weights @ v, weights
