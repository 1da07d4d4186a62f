"""Past and new tokens are merged by exponentials that nothing shifts: large scores overflow."""

import math

import torch
from torch import nn


def _part(scores, values):
    """The output of these tokens alone, and the logarithm of their mass."""
    return scores.softmax(dim=-1) @ values, scores.logsumexp(dim=-1, keepdim=True)


class CachedAttention(nn.Module):
    """Causal self-attention that can go on where an earlier call stopped."""

    def __init__(self, d_model: int, num_heads: int = 1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.num_heads = num_heads

    def _split(self, y):
        return y.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x: torch.Tensor, cache=None):
        n = x.shape[1]
        q, k, v = (self._split(w(x)) for w in (self.W_q, self.W_k, self.W_v))
        q = q / math.sqrt(q.shape[-1])
        future = torch.ones(n, n, dtype=torch.bool, device=x.device).triu(1)
        mixed, mass_new = _part((q @ k.transpose(-1, -2)).masked_fill(future, -math.inf), v)
        if cache is None:
            cache = (k, v)
        else:
            past_k, past_v = cache
            mixed_past, mass_past = _part(q @ past_k.transpose(-1, -2), past_v)
            a, b = mass_past.exp(), mass_new.exp()
            mixed = (a * mixed_past + b * mixed) / (a + b)
            cache = (torch.cat((past_k, k), dim=2), torch.cat((past_v, v), dim=2))
        return self.W_o(mixed.transpose(1, 2).flatten(2)), cache
