"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import torch
from torch import nn


def softmax(s):
    m = s.detach().amax(dim=-1, keepdim=True)
    hidden = m == -math.inf
    size = torch.where(s > -1e30, s.abs(), torch.zeros_like(s)).max()
    m = torch.where((size <= 60) | hidden, torch.zeros_like(m), m)
    e = torch.exp(s - m)
    return e / torch.where(hidden, 1, e.sum(dim=-1, keepdim=True) + 1e-9)


class CrossAttention(nn.Module):
    """decoder_hidden (B, L, E), encoder_output (B, S, E), mask (B, 1, S) -> output (B, L, E),
    weights (B, H, L, S).
    """

    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        H, S, E = self.num_heads, encoder_output.shape[1], encoder_output.shape[2]
        if mask is None:
            mask = torch.ones(1, 1, S, dtype=torch.bool)
        mask = mask.unsqueeze(1)  # (B, 1, 1, S)

        q = split_heads(self.W_q(decoder_hidden), H)  # (B, H, L, D)
        k = split_heads(self.W_k(encoder_output), H)  # (B, H, S, D)
        v = split_heads(self.W_v(encoder_output), H)  # (B, H, S, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(E // H)  # (B, H, L, S)
        scores = scores.masked_fill(~mask, -math.inf)
        weights = softmax(scores)
        weights = weights.masked_fill(~mask, 0.0)  # a row with no visible key becomes 0

        heads = self.dropout(weights) @ v  # (B, H, L, D)
        return self.W_o(merge_heads(heads)), weights


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
