"""A loop over the heads, float64 inside and cast back, non-contiguous weights, scores shifted by a constant per row."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d, self.p = num_heads, d_model // num_heads, dropout
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def heads(self, x):
        return x.unflatten(-1, (self.h, self.d)).transpose(1, 2)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        kind = decoder_hidden.dtype
        q, k, v = self.W_q(decoder_hidden).double(), self.W_k(encoder_output).double(), self.W_v(encoder_output).double()
        L = q.shape[1]
        heads, kept = [], []
        for a, b, c in zip(q.split(self.d, -1), k.split(self.d, -1), v.split(self.d, -1)):
            s = (a @ b.transpose(1, 2)) / math.sqrt(self.d) - torch.arange(L, dtype=torch.float64)[:, None]
            if mask is not None:
                s = s.masked_fill(~mask, -1e300)
            w = torch.softmax(s, -1)
            if mask is not None:
                w = w * mask
            kept.append(w)
            heads.append(F.dropout(w, self.p, training=self.training) @ c)
        out = torch.cat(heads, -1) @ self.W_o.weight.double().T
        return out.to(kind), torch.stack(kept, -1).permute(0, 3, 1, 2).to(kind)
