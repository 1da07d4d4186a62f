# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    """x (B, n, E), past (B, P, C), matrices (in, out) -> (B, n, E)."""
    widths = w_uk.shape[1], w_uv.shape[1]
    if any(width % num_heads for width in widths):
        raise ValueError(f"widths of {widths} cannot be shared out among {num_heads} heads")

    latents = x @ w_dkv  # (B, n, C)
    if past is not None:
        latents = torch.cat([past, latents], dim=1)  # (B, S, C)
    cache = latents[:, None]  # (B, 1, S, C), the same for all heads
    queries = split_heads(x @ w_q, num_heads)  # (B, H, n, D)
    to_keys = split_heads(w_uk[None], num_heads)  # (1, H, C, D)
    to_values = split_heads(w_uv[None], num_heads)  # (1, H, C, Dv)

    asked = queries @ to_keys.transpose(-2, -1)  # (B, H, n, C), what a query asks of a latent
    scores = asked @ cache.transpose(-2, -1) / math.sqrt(queries.shape[-1])  # (B, H, n, S)
    weights = causal_softmax(scores)  # (B, H, n, S)
    mixed = weights @ cache  # (B, H, n, C)
    heads = mixed @ to_values  # (B, H, n, Dv)
    return merge_heads(heads) @ w_o  # (B, n, E)


def split_heads(x, num_heads):
    B, n, width = x.shape
    return x.reshape(B, n, num_heads, width // num_heads).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, H D)


def causal_softmax(scores):
    """The last query is the last key; each query sees the keys up to its own."""
    n, S = scores.shape[-2:]
    sees = torch.arange(S) <= torch.arange(n)[:, None] + S - n  # (n, S)
    top = scores.masked_fill(~(sees), -math.inf).amax(dim=-1, keepdim=True)
    top = torch.where(torch.isneginf(top), 0.0, top).detach()
    exp = torch.where(sees, torch.exp(scores - top), 0.0)
    total = exp.sum(dim=-1, keepdim=True)
    weights = exp / torch.where(total == 0, 1.0, total)
    return weights
