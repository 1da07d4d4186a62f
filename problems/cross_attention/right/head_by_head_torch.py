# One head after the other: each works on its own columns, and the results stand side by side.
import math

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.head_width = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k = self.W_q(decoder_hidden), self.W_k(encoder_output)
        columns = [x.split(self.head_width, -1) for x in (q, k, self.W_v(encoder_output))]
        hidden = torch.zeros(1, 1, 1, dtype=torch.bool) if mask is None else ~mask
        weights = [weights_of(q_h, k_h, hidden) for q_h, k_h in zip(*columns[:2], strict=True)]
        heads = [self.dropout(w) @ v_h for w, v_h in zip(weights, columns[2], strict=True)]
        return self.W_o(torch.cat(heads, dim=-1)), torch.stack(weights, dim=1)


def weights_of(q, k, hidden):
    scores = q @ k.mT / math.sqrt(q.shape[-1])  # (B, L, S)
    return torch.softmax(scores.masked_fill(hidden, -math.inf), -1).masked_fill(hidden, 0)
