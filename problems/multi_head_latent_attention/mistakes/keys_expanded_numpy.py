import math

import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError("widths that cannot be shared out")
    latents = x @ w_dkv
    if past is not None:
        latents = np.concatenate([past, latents], axis=1)

    def split(y):
        return y.reshape(*y.shape[:2], num_heads, -1).transpose(0, 2, 1, 3)

    q, k, v = split(x @ w_q), split(latents @ w_uk), split(latents @ w_uv)
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(q.shape[-1])
    n, S = scores.shape[-2:]
    scores = np.where(np.tri(n, S, S - n, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    heads = weights @ v
    return heads.transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1) @ w_o
