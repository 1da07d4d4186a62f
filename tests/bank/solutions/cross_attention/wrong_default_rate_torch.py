"""The rate is 0 unless told otherwise."""
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.0):
        super().__init__()
        self.h = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = (
            m(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
            for m, x in ((self.W_q, decoder_hidden), (self.W_k, encoder_output), (self.W_v, encoder_output))
        )
        s = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None], torch.finfo(s.dtype).min)
        w = torch.softmax(s, -1)
        if mask is not None:
            w = w * mask[:, None].any(-1, keepdim=True)
        return self.W_o((self.drop(w) @ v).transpose(1, 2).flatten(2)), w
