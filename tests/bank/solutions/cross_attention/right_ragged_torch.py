"""One example after the other, from which only the visible keys are taken."""

import math

import torch
from torch import nn
from torch.nn import functional as F


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.num_heads = num_heads
        self.dropout = dropout

    def _heads(self, x):  # (T, E) -> (H, T, D)
        return torch.stack(x.chunk(self.num_heads, dim=-1))

    def forward(self, decoder_hidden, encoder_output, mask=None):
        B, L, E = decoder_hidden.shape
        S = encoder_output.shape[1]
        scale = 1.0 / math.sqrt(E // self.num_heads)
        outputs, maps = [], []
        for b in range(B):
            seen = torch.arange(S, device=decoder_hidden.device)
            if mask is not None:
                seen = seen[mask[b, 0]]
            real = encoder_output[b].index_select(0, seen)
            q = self._heads(self.W_q(decoder_hidden[b])) * scale
            k = self._heads(self.W_k(real))
            v = self._heads(self.W_v(real))
            weights = q @ k.transpose(1, 2)
            if seen.numel():
                weights = torch.softmax(weights, dim=-1)
            dropped = F.dropout(weights, p=self.dropout, training=self.training)
            outputs.append(torch.cat(list(dropped @ v), dim=-1))
            blank = weights.new_zeros(self.num_heads, L, S)
            maps.append(blank.index_copy(2, seen, weights) if seen.numel() else blank)
        return self.W_o(torch.stack(outputs)), torch.stack(maps)
