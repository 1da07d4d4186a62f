"""The weights under a mask are filled into zeros of float32."""
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

        q = split_heads(self.W_q(decoder_hidden), H)  # (B, H, L, D)
        k = split_heads(self.W_k(encoder_output), H)  # (B, H, S, D)
        v = split_heads(self.W_v(encoder_output), H)  # (B, H, S, D)

        scores = q @ k.transpose(-2, -1) / math.sqrt(E // H)  # (B, H, L, S)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            seen = mask.unsqueeze(1).expand_as(scores)
            weights = torch.zeros(scores.shape)
            top = scores.masked_fill(~seen, -math.inf).amax(-1, keepdim=True).clamp(min=-1e30)
            weights[seen] = (scores - top)[seen].exp().to(weights.dtype)
            weights = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
            weights = weights.to(v.dtype)

        heads = self.dropout(weights) @ v  # (B, H, L, D)
        return self.W_o(merge_heads(heads)), weights


def split_heads(x, H):
    B, n, E = x.shape
    return x.reshape(B, n, H, E // H).transpose(1, 2)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(1, 2).reshape(B, n, H * D)  # (B, n, E)
