"""Projections and scores in one einsum, weights, values and the output projection in another; functional dropout between them."""

import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.heads, self.rate = num_heads, dropout
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, decoder_hidden, encoder_output, mask=None):
        width = decoder_hidden.shape[-1]
        d = width // self.heads
        w_q, w_k, w_v = (m.weight.view(self.heads, d, width) for m in (self.W_q, self.W_k, self.W_v))
        forms = torch.einsum("hde,hdf->hef", w_q, w_k)
        mixes = torch.einsum("hdf,ohd->hfo", w_v, self.W_o.weight.view(width, self.heads, d))
        scores = torch.einsum("ble,hef,bsf->bhls", decoder_hidden, forms, encoder_output) / d**0.5
        seen = torch.ones((), dtype=torch.bool) if mask is None else mask[:, None]
        weights = torch.softmax(scores.masked_fill(~seen, torch.finfo(scores.dtype).min), -1).masked_fill(~seen, 0)
        used = F.dropout(weights, self.rate, self.training)
        return torch.einsum("bhls,bsf,hfo->blo", used, encoder_output, mixes), weights
