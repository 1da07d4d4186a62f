"""Heads first, straight from the view."""
# causes: keys_expanded, heads_split_by_tokens

import torch
import torch.nn.functional as F


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None) -> torch.Tensor:
    B, n, E = x.shape
    if w_uk.size(1) % num_heads or w_uv.size(1) % num_heads:
        raise ValueError("num_heads does not fit")
    c = x @ w_dkv
    if past is not None:
        c = torch.cat([past, c], dim=1)
    S = c.size(1)
    q = (x @ w_q).view(B, num_heads, n, -1)
    k = (c @ w_uk).view(B, num_heads, S, -1)
    v = (c @ w_uv).view(B, num_heads, S, -1)
    scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
    mask = torch.tril(torch.ones(n, S, dtype=torch.bool), diagonal=S - n)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    out = (weights @ v).transpose(1, 2).reshape(B, n, -1)
    return out @ w_o
