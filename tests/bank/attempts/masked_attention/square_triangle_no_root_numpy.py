"""A triangle that starts at the first key, and scores that are never divided."""
# causes: aligned_to_start, no_scale

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    scores = np.einsum("bld,bsd->bls", q, k)
    L, S = scores.shape[1:]
    visible = np.ones(scores.shape, dtype=bool)
    if padding_mask is not None:
        visible &= padding_mask[:, np.newaxis, :]
    if causal:
        visible &= np.tri(L, S, dtype=bool)
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isinf(top), 0, top)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ v, weights
