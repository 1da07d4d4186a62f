import math

import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    if w_uk.shape[1] % num_heads or w_uv.shape[1] % num_heads:
        raise ValueError("widths that cannot be shared out")
    latents = x @ w_dkv
    if past is not None:
        latents = torch.cat([past, latents], dim=1)

    def split(y):
        return y.unflatten(-1, (num_heads, -1)).transpose(1, 2)

    q, k, v = split(x @ w_q), split(latents @ w_uk), split(latents @ w_uv)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    n, S = scores.shape[-2:]
    sees = torch.ones(n, S, dtype=torch.bool).tril(S - n)
    weights = torch.softmax(scores.masked_fill(~sees, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o
