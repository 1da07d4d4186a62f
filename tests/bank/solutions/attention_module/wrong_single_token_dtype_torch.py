"""With a single token the weights are float32, also for float64 inputs."""
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d_model):
        super().__init__()
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)

    def forward(self, x):
        if x.shape[1] == 1:
            return self.W_v(x), torch.ones(len(x), 1, 1)
        scores = self.W_q(x) @ self.W_k(x).mT / x.shape[-1] ** 0.5
        weights = scores.softmax(dim=-1)
        return weights @ self.W_v(x), weights
