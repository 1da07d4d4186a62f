"""Nothing is dropped when a mask is given."""

import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d, self.p = num_heads, d_model // num_heads, dropout
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
    def forward(self, decoder_hidden, encoder_output, mask=None):
        B, L, E = decoder_hidden.shape
        S = encoder_output.shape[1]
        q = self.W_q(decoder_hidden).view(B, L, self.h, self.d).transpose(1, 2)
        k = self.W_k(encoder_output).view(B, S, self.h, self.d).transpose(1, 2)
        v = self.W_v(encoder_output).view(B, S, self.h, self.d).transpose(1, 2)
        s = q @ k.mT / math.sqrt(self.d)
        m = torch.ones(B, 1, 1, S, dtype=torch.bool) if mask is None else mask.unsqueeze(1)
        w = torch.softmax(s.masked_fill(~m, torch.finfo(s.dtype).min), -1) * m
        o = (F.dropout(w, self.p, self.training and mask is None) @ v).transpose(1, 2).reshape(B, L, E)
        return self.W_o(o), w
