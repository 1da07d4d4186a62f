"""The cache is a longer text."""
# causes: past_projected_again, keys_expanded

import torch
import torch.nn.functional as F


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None) -> torch.Tensor:
    B, n, E = x.shape
    if w_uk.size(1) % num_heads or w_uv.size(1) % num_heads:
        raise ValueError("num_heads does not fit")
    text = x if past is None else torch.cat([past, x], dim=1)
    c = text @ w_dkv
    S = c.size(1)
    q = (x @ w_q).view(B, n, num_heads, -1).transpose(1, 2)
    k = (c @ w_uk).view(B, S, num_heads, -1).transpose(1, 2)
    v = (c @ w_uv).view(B, S, num_heads, -1).transpose(1, 2)
    scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
    mask = torch.tril(torch.ones(n, S, dtype=torch.bool), diagonal=S - n)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    out = (weights @ v).transpose(1, 2).reshape(B, n, -1)
    return out @ w_o
