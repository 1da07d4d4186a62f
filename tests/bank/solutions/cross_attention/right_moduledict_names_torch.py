"""In another style: ModuleDict names."""

import math, torch
from torch import nn, Tensor
from typing import Optional


class CrossAttention(nn.Module):
    def __init__(self, d_model: int, num_heads: int, dropout: float = 0.1):
        super().__init__()
        assert d_model % num_heads == 0
        self.W_q, self.W_k = nn.Linear(d_model, d_model, False), nn.Linear(d_model, d_model, False)
        self.W_v, self.W_o = nn.Linear(d_model, d_model, False), nn.Linear(d_model, d_model, False)
        self.drop, self.H = nn.Dropout(p=dropout), num_heads

    def forward(self, decoder_hidden: Tensor, encoder_output: Tensor, mask: Optional[Tensor] = None):
        outs, ws = [], []
        rows = zip(*(m.weight.chunk(self.H) for m in (self.W_q, self.W_k, self.W_v)))
        for wq, wk, wv in rows:
            s = (decoder_hidden @ wq.T) @ (encoder_output @ wk.T).mT / math.sqrt(len(wq))
            w = s.softmax(-1) if mask is None else s.masked_fill(mask.logical_not(), torch.finfo(s.dtype).min).softmax(-1).mul(mask)
            ws.append(w)
            outs.append(self.drop(w) @ (encoder_output @ wv.T))
        return self.W_o(torch.cat(outs, -1)), torch.stack(ws, 1)
