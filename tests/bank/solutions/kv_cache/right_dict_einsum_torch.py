"""A dict of (B, n, H, D), einsum, positions compared."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.num_heads = num_heads
        self.d_head = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, cache=None):
        q, k, v = (w(x).unflatten(-1, (self.num_heads, -1)) for w in (self.W_q, self.W_k, self.W_v))
        start = 0
        if cache is not None:
            start = cache["length"]
            k = torch.cat((cache["k"], k), dim=1)
            v = torch.cat((cache["v"], v), dim=1)
        positions = start + torch.arange(x.shape[1])
        visible = torch.arange(k.shape[1])[None, :] <= positions[:, None]
        scores = torch.einsum("bihd,bjhd->bhij", q, k) * self.d_head**-0.5
        scores = scores.masked_fill(~visible, torch.finfo(scores.dtype).min)
        out = torch.einsum("bhij,bjhd->bihd", scores.softmax(-1), v).flatten(2)
        return self.W_o(out), {"k": k, "v": v, "length": k.shape[1]}
