"""A right one: copied buffer."""
# causes: none

"""A buffer with room to spare, copied before it is written to."""

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
        B, n, _E = x.shape
        H, D = self.num_heads, self.d_head
        past, length = (x.new_zeros(2, B, H, 8, D), 0) if cache is None else cache
        room = past.shape[3]
        while room < length + n:
            room *= 2
        new = torch.stack([self.W_k(x), self.W_v(x)]).view(2, B, n, H, D).transpose(2, 3)
        buffer = torch.cat(
            [past[:, :, :, :length], new, new.new_zeros(2, B, H, room - length - n, D)], 3
        )
        k, v = buffer
        q = self.W_q(x).view(B, n, H, D).transpose(1, 2)
        scores = q @ k.mT / D**0.5
        hidden = torch.arange(room) > torch.arange(length, length + n)[:, None]
        weights = scores.masked_fill(hidden, -1e30).softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), (buffer, length + n)
