# One head after the other: each has its own columns of three matrices and its own rows of w_o.
import math

import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError(
            f"{num_heads} heads do not fit {w_uk.shape[1]} and {w_uv.shape[1]} columns"
        )
    new = x @ w_dkv
    cache = new if past is None else torch.cat((past, new), dim=1)  # (B, S, C)
    n, S = x.shape[1], cache.shape[1]
    later = torch.ones(n, S, dtype=torch.bool).triu(S - n + 1)
    output = 0
    parts = (w_q.chunk(num_heads, 1), w_uk.chunk(num_heads, 1), w_uv.chunk(num_heads, 1))
    for query, key, value, out in zip(*parts, w_o.chunk(num_heads, 0), strict=True):
        asked = x @ (query @ key.T)  # (B, n, C)
        scores = (asked @ cache.mT / math.sqrt(key.shape[1])).masked_fill(later, -math.inf)
        output = output + torch.softmax(scores, dim=2) @ cache @ (
            value @ out
        )  # what this head adds
    return output
