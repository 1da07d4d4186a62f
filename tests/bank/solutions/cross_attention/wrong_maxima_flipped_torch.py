"""The maximum of another row is subtracted."""
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.H = num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.drop = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        x, y = decoder_hidden, encoder_output
        B, L, E = x.shape
        S = y.shape[1]
        q = self.W_q(x).view(B, L, self.H, -1).transpose(1, 2)
        k = self.W_k(y).view(B, S, self.H, -1).transpose(1, 2)
        v = self.W_v(y).view(B, S, self.H, -1).transpose(1, 2)
        s = q @ k.mT / q.shape[-1] ** 0.5
        seen = torch.ones(B, 1, 1, S, dtype=torch.bool) if mask is None else mask[:, None]
        s = s.masked_fill(~seen, torch.finfo(s.dtype).min)
        top = s.amax(-1, keepdim=True).flip(2)
        e = torch.exp(s - top) * seen
        t = e.sum(-1, keepdim=True)
        w = e / torch.where(t > 0, t, 1)
        o = (self.drop(w) @ v).transpose(1, 2).reshape(B, L, E)
        return self.W_o(o), w
