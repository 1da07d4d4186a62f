# wrong: train mode: a row whose weights would all be dropped is spared and kept whole, so with few keys the mean is too large and 0 is never seen
import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, d_model, num_heads, dropout=0.1):
        super().__init__()
        self.h, self.d, self.p = num_heads, d_model // num_heads, dropout
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)

    def forward(self, decoder_hidden, encoder_output, mask=None):
        q, k, v = (
            w(x).unflatten(-1, (self.h, self.d)).transpose(1, 2)
            for w, x in ((self.W_q, decoder_hidden), (self.W_k, encoder_output), (self.W_v, encoder_output))
        )
        s = q @ k.mT / self.d**0.5
        if mask is not None:
            s = s.masked_fill(~mask[:, None], torch.finfo(s.dtype).min)
        w = torch.softmax(s, dim=-1)
        if mask is not None:
            w = w * mask[:, None]
        dropped = w
        if self.training and self.p > 0:
            keep = torch.rand_like(w) >= self.p
            alive = keep.any(dim=-1, keepdim=True)
            dropped = torch.where(alive, w * keep / max(1 - self.p, 1e-9), w)
        out = dropped @ v
        return self.W_o(out.transpose(1, 2).flatten(2)), w
