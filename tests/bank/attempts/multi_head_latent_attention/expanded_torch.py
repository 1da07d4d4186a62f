"""Expand the latents, then ordinary multi-head attention."""
# causes: keys_expanded

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
    q = (x @ w_q).view(B, n, num_heads, -1).transpose(1, 2)
    k = (c @ w_uk).view(B, S, num_heads, -1).transpose(1, 2)
    v = (c @ w_uv).view(B, S, num_heads, -1).transpose(1, 2)
    scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
    mask = torch.ones(n, S).tril(S - n).bool()
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    out = (weights @ v).transpose(1, 2).reshape(B, n, -1)
    return out @ w_o
