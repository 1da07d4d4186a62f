"""The cache is a tuple of blocks, merged like a binary counter; one softmax over all of them."""

import torch
from torch import nn


def _append(blocks, block):
    blocks = [*blocks, block]
    while len(blocks) > 1 and blocks[-2][0].shape[2] <= blocks[-1][0].shape[2]:
        (k1, v1), (k2, v2) = blocks[-2:]
        blocks[-2:] = [(torch.cat((k1, k2), dim=2), torch.cat((v1, v2), dim=2))]
    return tuple(blocks)


class CachedAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int = 1):
        super().__init__()
        self.num_heads = num_heads
        self.scale = (d_model // num_heads) ** -0.5
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def _heads(self, x):
        return x.unflatten(-1, (self.num_heads, x.shape[-1] // self.num_heads)).transpose(1, 2)

    def forward(self, x, cache=None):
        n = x.shape[1]
        q = self._heads(self.W_q(x)) * self.scale
        blocks = _append(cache or (), (self._heads(self.W_k(x)), self._heads(self.W_v(x))))
        scores = torch.cat([q @ k.transpose(-1, -2) for k, _ in blocks], dim=-1)
        total = scores.shape[-1]
        if n > 1:
            places = torch.arange(total, device=x.device)
            scores = scores.masked_fill(places > places[total - n :, None], -torch.inf)
        weights = scores.softmax(dim=-1).split([k.shape[2] for k, _ in blocks], dim=-1)
        mixed = sum(w @ v for w, (_, v) in zip(weights, blocks))
        return self.W_o(mixed.transpose(1, 2).flatten(2)), blocks
