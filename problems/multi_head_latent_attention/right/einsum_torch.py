# Heads are an axis of the matrices: einsum splits, attends and merges without a transpose.
import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads != 0 or w_uv.shape[1] % num_heads != 0:
        raise ValueError("the heads cannot share the columns evenly")
    w_uk, w_uv, w_q = (w.unflatten(1, (num_heads, -1)) for w in (w_uk, w_uv, w_q))
    latents = x @ w_dkv
    if past is not None:
        latents = torch.cat([past, latents], dim=1)
    queries = torch.einsum("bne,ehd->bhnd", x, w_q) / w_uk.shape[2] ** 0.5
    asked = torch.einsum("bhnd,chd->bhnc", queries, w_uk)
    scores = torch.einsum("bhnc,bsc->bhns", asked, latents)
    n, S = scores.shape[2:]
    later = torch.full((n, S), -torch.inf, dtype=x.dtype).triu(S - n + 1)
    weights = torch.softmax(scores + later, dim=3)
    mixed = torch.einsum("bhns,bsc->bhnc", weights, latents)
    heads = torch.einsum("bhnc,chv->bnhv", mixed, w_uv)
    return heads.flatten(2) @ w_o
