# Heads are an axis of the matrices: einsum splits, attends and merges without a transpose.
import numpy as np


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    C, E = w_uk.shape[0], w_o.shape[1]
    if w_uk.shape[1] % num_heads != 0 or w_uv.shape[1] % num_heads != 0:
        raise ValueError("the heads cannot share the columns evenly")
    w_uk, w_uv = w_uk.reshape(C, num_heads, -1), w_uv.reshape(C, num_heads, -1)
    w_q, w_o = w_q.reshape(-1, num_heads, w_uk.shape[2]), w_o.reshape(num_heads, -1, E)
    latents = np.einsum("bne,ec->bnc", x, w_dkv)
    if past is not None:
        latents = np.concatenate([past, latents], axis=1)
    queries = np.einsum("bne,ehd->bhnd", x, w_q) / w_uk.shape[2] ** 0.5
    scores = np.einsum("bhnd,chd,bsc->bhns", queries, w_uk, latents, optimize=True)
    n, S = scores.shape[2:]
    scores = scores + np.triu(np.full((n, S), -np.inf, dtype=scores.dtype), S - n + 1)
    weights = np.exp(scores - scores.max(axis=3, keepdims=True))
    weights /= weights.sum(axis=3, keepdims=True)
    mixed = np.einsum("bhns,bsc->bhnc", weights, latents, optimize=True)
    return np.einsum("bhnc,chv,hve->bne", mixed, w_uv, w_o, optimize=True)
