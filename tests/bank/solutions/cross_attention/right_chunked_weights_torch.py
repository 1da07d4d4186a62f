"""Projections as F.linear on rows of the weights, a Bernoulli mask for dropout, and a sum over heads."""
import torch
from torch import nn
import torch.nn.functional as F


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.num_heads, self.keep = num_heads, 1 - dropout
        for name in "qkvo":
            self.add_module(f"W_{name}", nn.Linear(d_model, d_model, bias=False))

    def forward(self, decoder_hidden, encoder_output, mask=None):
        output, seen = torch.zeros_like(decoder_hidden), []
        rows = [m.weight.chunk(self.num_heads, 0) for m in (self.W_q, self.W_k, self.W_v)]
        for wq, wk, wv, wo in zip(*rows, self.W_o.weight.chunk(self.num_heads, 1)):
            scores = F.linear(decoder_hidden, wq) @ F.linear(encoder_output, wk).mT * wq.shape[0] ** -0.5
            if mask is None:
                weights = scores.softmax(-1)
            else:
                weights = scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1) * mask
            seen.append(weights)
            if self.training:
                weights = weights * torch.bernoulli(torch.full_like(weights, self.keep)) / self.keep
            output = output + F.linear(weights @ F.linear(encoder_output, wv), wo)
        return output, torch.stack(seen, dim=1)
