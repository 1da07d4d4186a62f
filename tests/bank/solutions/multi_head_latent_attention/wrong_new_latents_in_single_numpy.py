"""The latents of the new tokens are written into the cache in float32."""
import math

import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    """x (B, n, E), past (B, P, C), matrices (in, out) -> (B, n, E)."""
    widths = w_uk.shape[1], w_uv.shape[1]
    if any(width % num_heads for width in widths):
        raise ValueError(f"widths of {widths} cannot be shared out among {num_heads} heads")

    latents = x @ w_dkv  # (B, n, C)
    if past is not None:
        latents = np.concatenate([past, latents.astype(np.float32)], axis=1)  # (B, S, C)
    cache = latents[:, None]  # (B, 1, S, C), the same for all heads
    queries = split_heads(x @ w_q, num_heads)  # (B, H, n, D)
    to_keys = split_heads(w_uk[None], num_heads)  # (1, H, C, D)
    to_values = split_heads(w_uv[None], num_heads)  # (1, H, C, Dv)

    asked = queries @ to_keys.swapaxes(-2, -1)  # (B, H, n, C), what a query asks of a latent
    scores = asked @ cache.swapaxes(-2, -1) / math.sqrt(queries.shape[-1])  # (B, H, n, S)
    weights = causal_softmax(scores)  # (B, H, n, S)
    mixed = weights @ cache  # (B, H, n, C)
    heads = mixed @ to_values  # (B, H, n, Dv)
    return merge_heads(heads) @ w_o  # (B, n, E)


def split_heads(x, num_heads):
    B, n, width = x.shape
    return x.reshape(B, n, num_heads, width // num_heads).transpose(0, 2, 1, 3)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, n, H * D)  # (B, n, H D)


def causal_softmax(scores):
    """The last query is the last key; each query sees the keys up to its own."""
    n, S = scores.shape[-2:]
    sees = np.arange(S) <= np.arange(n)[:, None] + S - n  # (n, S)
    scores = np.where(sees, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
