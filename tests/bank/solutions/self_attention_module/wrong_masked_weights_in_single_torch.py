"""The weights under a mask are filled into zeros of float32."""
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

        q = split_heads(self.W_q(x), H)  # (B, H, n, D)
        k = split_heads(self.W_k(x), H)  # (B, H, n, D)
        v = split_heads(self.W_v(x), H)  # (B, H, n, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(D)  # (B, H, n, n)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            seen = mask.expand_as(scores)
            weights = torch.zeros(scores.shape)
            top = scores.masked_fill(~seen, -math.inf).amax(-1, keepdim=True).clamp(min=-1e30)
            weights[seen] = (scores - top)[seen].exp().to(weights.dtype)
            weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
            weights = weights.to(v.dtype)

        heads = weights @ v  # (B, H, n, D)
        return self.W_o(merge_heads(heads))  # (B, n, E)


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
