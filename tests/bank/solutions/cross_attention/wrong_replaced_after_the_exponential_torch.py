# wrong: exp is taken of hidden scores too and replaced by 0 afterwards; a hidden score 100 above the row's visible maximum is inf, and the gradient 0 * inf = NaN
import math

import torch
from torch import nn


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
        top = scores.masked_fill(~(mask), -math.inf).amax(dim=-1, keepdim=True)
        top = torch.where(torch.isneginf(top), 0.0, top).detach()
        exp = torch.where(mask, torch.exp(scores - top), 0.0)
        total = exp.sum(dim=-1, keepdim=True)
        weights = exp / torch.where(total == 0, 1.0, total)

        heads = self.dropout(weights) @ v  # (B, H, L, D)
        return self.W_o(merge_heads(heads)), weights


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
