"""F.dropout with the training flag."""
# causes: none

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.p = num_heads, dropout
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def split(self, x):
        B, n, E = x.shape
        return x.reshape(B, n, self.h, E // self.h).permute(0, 2, 1, 3)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q = self.split(self.W_q(decoder_hidden))
        k = self.split(self.W_k(encoder_output))
        v = self.split(self.W_v(encoder_output))
        scores = q @ k.transpose(-1, -2) / q.size(-1) ** 0.5
        if mask is not None:
            mask = mask.unsqueeze(1)
            empty = ~mask.any(dim=-1, keepdim=True)
            scores = scores.masked_fill(~mask & ~empty, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(empty, 0.0)
        context = F.dropout(weights, self.p, self.training) @ v
        return self.W_o(context.permute(0, 2, 1, 3).flatten(2)), weights
