"""The room doubles and is filled in place: two texts from a cache with spare room write over one another."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int = 1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, x, cache=None):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        if torch.is_grad_enabled():
            if cache is not None:
                k = torch.cat((cache[0][:, :, : cache[2]], k), dim=2)
                v = torch.cat((cache[1][:, :, : cache[2]], v), dim=2)
            room_k, room_v, total = k, v, k.shape[2]
        else:
            room_k, room_v, total = self.store(cache, k, v)
            k, v = room_k[:, :, :total], room_v[:, :, :total]
        n = q.shape[2]
        scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
        if n > 1:
            future = torch.ones(n, total, dtype=torch.bool, device=x.device).triu(total - n + 1)
            scores = scores.masked_fill(future, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        output = (weights @ v).transpose(1, 2).reshape(x.shape)
        return self.W_o(output), (room_k, room_v, total)

    @staticmethod
    def store(cache, k, v):
        if cache is None:
            return k, v, k.shape[2]
        room_k, room_v, past = cache
        total = past + k.shape[2]
        if total > room_k.shape[2]:
            more = (*k.shape[:2], 2 * total, k.shape[3])
            grown_k, grown_v = k.new_empty(more), v.new_empty(more)
            grown_k[:, :, :past], grown_v[:, :, :past] = room_k[:, :, :past], room_v[:, :, :past]
            room_k, room_v = grown_k, grown_v
        room_k[:, :, past:total], room_v[:, :, past:total] = k, v
        return room_k, room_v, total
