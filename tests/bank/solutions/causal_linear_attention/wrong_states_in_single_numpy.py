"""Sums in float64, and keeps the running sums of keys and values in float32."""

import numpy as np


def causal_linear_attention(q, k, v):
    q = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    k = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    states = np.cumsum(k[..., None] * v[:, :, None], axis=1).astype(np.float32)
    denominator = (q * np.cumsum(k, axis=1)).sum(axis=-1, keepdims=True)
    return np.einsum("bnd,bnde->bne", q, states) / denominator
