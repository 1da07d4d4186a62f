"""Scores as one bilinear form, x (W_qᵀ W_k) xᵀ; weights in log space."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))

    def forward(self, x):
        form = self.W_q.weight.mT @ self.W_k.weight * x.shape[-1] ** -0.5
        weights = torch.log_softmax(torch.einsum("bie,ef,bjf->bij", x, form, x), dim=2).exp()
        return (weights @ x) @ self.W_v.weight.mT, weights
