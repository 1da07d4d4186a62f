# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    """x (B, n, E), boolean mask broadcastable to (B, H, n, n) -> (B, n, E)."""

    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x, mask=None):
        n, E = x.shape[1:]
        H, D = self.n_heads, E // self.n_heads
        if mask is None:
            mask = torch.ones(n, n, dtype=torch.bool)

        q = split_heads(self.W_q(x), H)  # (B, H, n, D)
        k = split_heads(self.W_k(x), H)  # (B, H, n, D)
        v = split_heads(self.W_v(x), H)  # (B, H, n, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, n)
        top = scores.masked_fill(~(mask), -math.inf).amax(dim=-1, keepdim=True)
        top = torch.where(torch.isneginf(top), 0.0, top).detach()
        exp = torch.where(mask, torch.exp(scores - top), 0.0)
        total = exp.sum(dim=-1, keepdim=True)
        weights = exp / torch.where(total == 0, 1.0, total)

        heads = weights @ v  # (B, H, n, D)
        return self.W_o(merge_heads(heads))  # (B, n, E)


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
