"""Keys and values of a source are kept for as long as it is the same tensor."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d, self.p = num_heads, d_model // num_heads, dropout
        self.source = None
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def heads(self, x):
        return x.unflatten(-1, (self.h, self.d)).transpose(1, 2)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q = self.heads(self.W_q(decoder_hidden))
        if self.training or self.source is None or self.source[0] is not encoder_output:
            self.source = encoder_output, self.heads(self.W_k(encoder_output)), self.heads(self.W_v(encoder_output))
        _, k, v = self.source
        s = torch.einsum("bhld,bhsd->bhls", q, k) * self.d**-0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None], float("-inf"))
        w = s.softmax(-1)
        if mask is not None:
            w = w.masked_fill(~mask.any(-1)[:, None, :, None], 0.0)
        w = F.dropout(w, self.p, self.training)
        return self.W_o(torch.einsum("bhls,bhsd->blhd", w, v).flatten(2)), w
