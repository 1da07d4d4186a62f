# One head after the other: each has its own columns of three matrices and its own rows of w_o.
import math

import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError(
            f"{num_heads} heads do not fit {w_uk.shape[1]} and {w_uv.shape[1]} columns"
        )
    D, Dv = w_uk.shape[1] // num_heads, w_uv.shape[1] // num_heads
    new = x @ w_dkv
    cache = new if past is None else np.concatenate((past, new), axis=1)  # (B, S, C)
    n, S = x.shape[1], cache.shape[1]
    later = ~np.tri(n, S, S - n, dtype=bool)
    output = 0
    for h in range(num_heads):
        keys, values = slice(h * D, (h + 1) * D), slice(h * Dv, (h + 1) * Dv)
        asked = x @ (w_q[:, keys] @ w_uk[:, keys].T)  # (B, n, C)
        scores = asked @ cache.swapaxes(1, 2) / math.sqrt(D)
        scores[:, later] = -np.inf
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        mixed = weights @ cache / weights.sum(axis=2, keepdims=True)
        output = output + mixed @ (w_uv[:, values] @ w_o[values])  # what this head adds
    return output
