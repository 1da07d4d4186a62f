# A row without a visible key is NaN on the way, and 0 in the end; its scores were filled, so no NaN flows back.
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.drop = nn.Dropout(dropout)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
            for w, x in ((self.W_q, decoder_hidden), (self.W_k, encoder_output), (self.W_v, encoder_output))
        )
        s = q @ k.mT / self.d**0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None], float("-inf"))
        e = torch.exp(s - s.amax(dim=-1, keepdim=True))
        w = torch.nan_to_num(e / e.sum(dim=-1, keepdim=True))
        out = self.drop(w) @ v
        return self.W_o(out.transpose(1, 2).flatten(2)), w
