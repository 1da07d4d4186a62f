"""The heads come from a reshape to (B, H, n, D), and one layer norm serves both places."""
# causes: one_norm_for_both, split_without_transpose

import math

import torch
from torch import nn


def causal_softmax(scores):
    n = scores.shape[-1]
    hidden = torch.triu(
        torch.full((n, n), float("-inf"), dtype=scores.dtype, device=scores.device), diagonal=1
    )
    return torch.softmax(scores + hidden, dim=-1)


class Block(nn.Module):
    def __init__(self, d_model: int, num_heads: int, hidden: int, norm: str = "pre"):
        super().__init__()
        self.num_heads = num_heads
        self.mode = norm
        self.norm_1 = nn.LayerNorm(d_model)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.norm_2 = nn.LayerNorm(d_model)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)
        self.act = nn.GELU()

    def attn(self, x):
        B, n, E = x.shape
        D = E // self.num_heads
        q, k, v = (m(x).reshape(B, self.num_heads, n, D) for m in (self.W_q, self.W_k, self.W_v))
        weights = causal_softmax(torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D))
        out = torch.matmul(weights, v).transpose(1, 2).contiguous().view(B, n, E)
        return self.W_o(out)

    def forward(self, x):
        if self.mode == "post":
            a = self.norm_1(x + self.attn(x))
            return self.norm_1(a + self.W_out(self.act(self.W_in(a))))
        a = x + self.attn(self.norm_1(x))
        return a + self.W_out(self.act(self.W_in(self.norm_1(a))))
