"""A penalty of 30 000 is taken off hidden scores."""
import torch
import torch.nn.functional as F
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.H, self.p = num_heads, dropout

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = (t.unflatten(-1, (self.H, -1)).transpose(1, 2) for t in (self.W_q(decoder_hidden), self.W_k(encoder_output), self.W_v(encoder_output)))
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s + (~mask[:, None]) * -3e4
        w = s.softmax(-1)
        if mask is not None:
            w = w * mask[:, None]
        return self.W_o((F.dropout(w, self.p, self.training) @ v).transpose(1, 2).flatten(2)), w
