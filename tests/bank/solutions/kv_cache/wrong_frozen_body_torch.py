"""Every 16 tokens the older part of the cache is detached: later outputs do not teach it."""

import torch
from torch import nn

TAIL = 16


class CachedAttention(nn.Module):
    """Causal self-attention that can go on where an earlier call stopped."""

    def __init__(self, d_model: int, num_heads: int = 1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.num_heads = num_heads

    def forward(self, x: torch.Tensor, cache=None):
        batch, new, width = x.shape
        depth = width // self.num_heads

        def split(y):
            return y.reshape(batch, new, self.num_heads, depth).transpose(1, 2)

        q, k, v = split(self.W_q(x)), split(self.W_k(x)), split(self.W_v(x))
        pair = torch.stack((k, v))
        body, tail = (pair[:, :, :, :0], pair[:, :, :, :0]) if cache is None else cache
        tail = torch.cat((tail, pair), dim=3)
        keys, values = torch.cat((body, tail), dim=3)
        total = keys.shape[2]
        scores = q @ keys.transpose(-1, -2) / depth**0.5
        ahead = torch.ones(new, total, dtype=torch.bool, device=x.device).triu(total - new + 1)
        weights = scores.masked_fill(ahead, -torch.inf).softmax(dim=-1)
        output = self.W_o((weights @ values).transpose(1, 2).reshape(batch, new, width))
        if tail.shape[3] >= TAIL:
            # the body does not change any more
            body = torch.cat((body, tail), dim=3).detach()
            tail = tail[:, :, :, :0]
        return output, (body, tail)
