# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch
from torch import nn


class Block(nn.Module):
    """x (B, n, E) -> (B, n, E)."""

    def __init__(self, d_model, num_heads, hidden, norm="pre"):
        super().__init__()
        self.num_heads, self.norm = num_heads, norm
        self.norm_1 = nn.LayerNorm(d_model)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.norm_2 = nn.LayerNorm(d_model)
        self.W_in = nn.Linear(d_model, hidden, bias=False)
        self.W_out = nn.Linear(hidden, d_model, bias=False)

    def forward(self, x):
        if self.norm == "pre":
            x = x + self.attention(self.norm_1(x))
            x = x + self.feed_forward(self.norm_2(x))
        else:
            x = self.norm_1(x + self.attention(x))
            x = self.norm_2(x + self.feed_forward(x))
        return x

    def attention(self, x):
        n, E = x.shape[1:]
        H, D = self.num_heads, E // self.num_heads
        q = split_heads(self.W_q(x), H)  # (B, H, n, D)
        k = split_heads(self.W_k(x), H)  # (B, H, n, D)
        v = split_heads(self.W_v(x), H)  # (B, H, n, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, n)
        visible = torch.ones(n, n, dtype=torch.bool).tril()
        top = scores.masked_fill(~(visible), -math.inf).amax(dim=-1, keepdim=True)
        top = torch.where(torch.isneginf(top), 0.0, top).detach()
        exp = torch.where(visible, torch.exp(scores - top), 0.0)
        total = exp.sum(dim=-1, keepdim=True)
        weights = exp / torch.where(total == 0, 1.0, total)
        return self.W_o(merge_heads(weights @ v))  # (B, n, E)

    def feed_forward(self, x):
        h = self.W_in(x)  # (B, n, F)
        h = nn.functional.gelu(h)
        return self.W_out(h)  # (B, n, E)


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
