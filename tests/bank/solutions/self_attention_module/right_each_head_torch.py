"""A loop over heads, each of which adds its share of the output."""

import math

import torch
from torch import nn


def _softmax(scores, mask):
    if mask is not None:
        scores = torch.where(mask, scores, scores.new_full((), -math.inf))
    top = scores.detach().amax(dim=-1, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = torch.exp(scores - top)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)


class SelfAttention(nn.Module):
    def __init__(self, d_model: int, n_heads: int):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        width = d_model // n_heads
        self.cuts = [slice(i, i + width) for i in range(0, d_model, width)]

    def forward(self, x, mask=None):
        seen = None if mask is None else mask[:, 0]
        total = None
        for cut in self.cuts:
            q, k, v = (x @ w.weight[cut].t() for w in (self.W_q, self.W_k, self.W_v))
            a = _softmax(q @ k.transpose(1, 2) / math.sqrt(q.shape[2]), seen)
            part = a @ v @ self.W_o.weight[:, cut].t()
            total = part if total is None else total + part
        return total
