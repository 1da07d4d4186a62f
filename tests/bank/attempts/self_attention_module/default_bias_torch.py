"""Linear layers, heads, softmax, mask with minus infinity."""
# causes: layers_with_a_bias, blind_row_nan

import math

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.n_heads = n_heads
        self.d_head = d_model // n_heads
        self.W_q = nn.Linear(d_model, d_model)
        self.W_k = nn.Linear(d_model, d_model)
        self.W_v = nn.Linear(d_model, d_model)
        self.W_o = nn.Linear(d_model, d_model)

    def forward(self, x, mask=None):
        B, n, E = x.shape
        q = self.W_q(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        k = self.W_k(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        v = self.W_v(x).view(B, n, self.n_heads, self.d_head).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_head)
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        return self.W_o((F.softmax(scores, dim=-1) @ v).transpose(1, 2).reshape(B, n, E))
