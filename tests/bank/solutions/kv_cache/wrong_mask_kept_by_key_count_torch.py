"""The mask of the first call that saw so many keys."""

import torch
from torch import nn


class CachedAttention(nn.Module):
    def __init__(self, d_model, num_heads=1):
        super().__init__()
        self.h = num_heads
        self.masks = {}
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, cache=None):
        B, n, E = x.shape
        sp = lambda t: t.reshape(B, -1, self.h, E // self.h).transpose(1, 2)
        k, v = sp(self.W_k(x)), sp(self.W_v(x))
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        S = k.shape[2]
        s = sp(self.W_q(x)) @ k.mT / (E // self.h) ** 0.5
        if S not in self.masks:
            self.masks[S] = torch.ones(n, S, dtype=torch.bool).triu(S - n + 1)
        m = self.masks[S]
        if m.shape[0] >= n:
            m = m[-n:]
        s = s.masked_fill(m, -torch.inf)
        o = s.softmax(-1) @ v
        return self.W_o(o.transpose(1, 2).flatten(2)), (k, v)
