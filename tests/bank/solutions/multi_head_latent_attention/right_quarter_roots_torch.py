"""Queries and latents are both scaled, and heads join the batch."""
import torch


def latent_attention(x, w_dkv, w_uk, w_uv, w_q, w_o, num_heads, past=None):
    for w in (w_uk, w_uv):
        if w.shape[-1] % num_heads != 0:
            raise ValueError("heads do not divide the width")
    B, n, _ = x.shape
    C, K = w_uk.shape
    root = (K // num_heads) ** 0.25
    c = x.matmul(w_dkv)
    c = torch.hstack([past, c]) if past is not None else c
    S = c.shape[1]
    q = (x.matmul(w_q) / root).reshape(B * n, num_heads, -1).permute(1, 0, 2)
    uk = (w_uk / root).reshape(C, num_heads, -1).permute(1, 2, 0)
    asked = torch.bmm(q, uk).reshape(num_heads, B, n, C).transpose(0, 1).reshape(B, num_heads * n, C)
    scores = torch.bmm(asked, c.transpose(1, 2)).reshape(B, num_heads, n, S)
    seen = torch.arange(S)[None] <= torch.arange(S - n, S)[:, None]
    weights = torch.where(seen, scores, torch.finfo(scores.dtype).min).softmax(-1)
    mixed = torch.bmm(weights.reshape(B, num_heads * n, S), c).reshape(B, num_heads, n, C)
    values = w_uv.reshape(C, num_heads, -1).permute(1, 0, 2)
    return torch.matmul(mixed, values).permute(0, 2, 1, 3).reshape(B, n, -1).matmul(w_o)
