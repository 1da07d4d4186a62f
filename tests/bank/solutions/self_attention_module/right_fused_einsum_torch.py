"""Projections and scores in one einsum, weights, values and the output projection in another, straight from the stored matrices."""

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = n_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))

    def forward(self, x, mask=None):
        width = x.shape[-1]
        d = width // self.heads
        w_q, w_k, w_v = (m.weight.view(self.heads, d, width) for m in (self.W_q, self.W_k, self.W_v))
        w_o = self.W_o.weight.view(width, self.heads, d)
        scores = torch.einsum("ble,hde,bsf,hdf->bhls", x, w_q, x, w_k) * d**-0.5
        seen = torch.ones((), dtype=torch.bool) if mask is None else mask
        weights = torch.softmax(torch.where(seen, scores, -torch.inf), -1)
        weights = torch.where(seen, weights, 0.0)
        return torch.einsum("bhls,bsf,hdf,ohd->blo", weights, x, w_v, w_o)
