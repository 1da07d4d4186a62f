"""Right: the layers also stand in a list, to be looped over."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.layers = nn.ModuleList([self.W_q, self.W_k, self.W_v])

    def forward(self, x):
        q, k, v = (layer(x) for layer in self.layers)
        s = q @ k.mT / q.shape[-1] ** 0.5
        top = s.amax(-1, keepdim=True)
        e = torch.exp(s - top)
        t = e.sum(-1, keepdim=True)
        w = e / t
        return w @ v, w
