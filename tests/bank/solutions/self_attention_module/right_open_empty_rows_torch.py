"""Rows that see nothing are opened in a copy of the mask, and their heads are cleared."""

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.H = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        B, n, E = x.shape
        H, D = self.H, E // self.H
        packed = F.linear(x, torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight]))
        q, k, v = packed.reshape(B, n, 3, H, D).permute(2, 0, 3, 1, 4).reshape(3, B * H, n, D)
        scores = torch.bmm(q * D ** -0.5, k.transpose(1, 2))
        if mask is not None:
            alive = mask.any(dim=-1, keepdim=True)
            open_ = (mask | ~alive)[:, 0].repeat_interleave(H, dim=0)
            alive = alive[:, 0].repeat_interleave(H, dim=0)
            scores = scores.masked_fill(~open_, float("-inf"))
        heads = torch.bmm(F.softmax(scores, dim=-1), v)
        if mask is not None:
            heads = heads.masked_fill(~alive, 0)
        return self.W_o(heads.reshape(B, H, n, D).transpose(1, 2).reshape(B, n, E))
