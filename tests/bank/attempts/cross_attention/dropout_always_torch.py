"""F.dropout on the weights."""
# causes: dropout_in_eval_mode

import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h = num_heads
        self.p = dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        B, L, E = decoder_hidden.shape
        q = self.W_q(decoder_hidden).view(B, L, self.h, E // self.h).transpose(1, 2)
        k = self.W_k(encoder_output).view(B, -1, self.h, E // self.h).transpose(1, 2)
        v = self.W_v(encoder_output).view(B, -1, self.h, E // self.h).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None], torch.finfo(scores.dtype).min)
        weights = F.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(~mask[:, None], 0.0)
        weights = F.dropout(weights, self.p)
        return self.W_o((weights @ v).transpose(1, 2).reshape(B, L, E)), weights
