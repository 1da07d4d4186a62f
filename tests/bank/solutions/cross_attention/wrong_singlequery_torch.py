"""Nothing is dropped where there is a single query."""

import torch
from torch import nn
from torch.nn import functional as F


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = dropout

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q = self.split(self.W_q(decoder_hidden))
        k = self.split(self.W_k(encoder_output))
        v = self.split(self.W_v(encoder_output))
        scores = q @ k.transpose(-2, -1) / self.head_dim**0.5
        if mask is not None:
            hidden = ~mask.unsqueeze(1)
            scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights.masked_fill(hidden, 0.0)
        learning = self.training and weights.shape[-2] > 1
        dropped = F.dropout(weights, p=self.dropout, training=learning)
        output = (dropped @ v).transpose(1, 2).reshape(decoder_hidden.shape)
        return self.W_o(output), weights
