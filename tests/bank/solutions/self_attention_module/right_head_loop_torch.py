"""Head by head with slices of the weights, added up through W_o's columns."""
import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.heads = n_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))

    def forward(self, x, mask=None):
        output = torch.zeros_like(x)
        for a, b, c, o in zip(*(m.weight.chunk(self.heads) for m in (self.W_q, self.W_k, self.W_v)), self.W_o.weight.chunk(self.heads, 1)):
            scores = (x @ a.T) @ (x @ b.T).mT / len(a) ** 0.5
            if mask is not None:
                seen = mask[:, 0]
                scores = scores.masked_fill(~seen, torch.finfo(scores.dtype).min)
            weights = torch.softmax(scores, -1)
            if mask is not None:
                weights = weights * seen
            output = output + weights @ (x @ c.T) @ o.T
        return output
