"""New latents first, then those of the cache."""
# causes: keys_expanded, past_at_the_end

import math

import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None) -> np.ndarray:
    B, n, E = x.shape
    if w_uk.shape[1] % num_heads != 0 or w_uv.shape[1] % num_heads != 0:
        raise ValueError("num_heads does not fit")
    D = w_uk.shape[1] // num_heads
    Dv = w_uv.shape[1] // num_heads
    c = x @ w_dkv
    if past is not None:
        c = np.concatenate([c, past], axis=1)
    S = c.shape[1]
    q = (x @ w_q).reshape(B, n, num_heads, D).transpose(0, 2, 1, 3)
    k = (c @ w_uk).reshape(B, S, num_heads, D).transpose(0, 2, 1, 3)
    v = (c @ w_uv).reshape(B, S, num_heads, Dv).transpose(0, 2, 1, 3)
    scores = q @ k.transpose(0, 1, 3, 2) / math.sqrt(D)
    mask = np.tril(np.ones((n, S), dtype=bool), k=S - n)
    scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    out = (weights @ v).transpose(0, 2, 1, 3).reshape(B, n, num_heads * Dv)
    return out @ w_o
