"""One state of the decoder after another, as in the paper."""
import torch
import torch.nn.functional as F
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def step(self, state, projected, hidden):
        energy = self.v(torch.tanh(self.W_q(state)[:, None] + projected))[:, :, 0]
        if hidden is not None:
            energy = energy.masked_fill(hidden, -1e20)
        w = F.softmax(energy, dim=1)
        return w if hidden is None else torch.where(hidden, 0.0, w)

    def forward(self, queries, keys, values, lengths=None):
        projected, hidden = self.W_k(keys), None
        if lengths is not None:
            hidden = torch.arange(keys.shape[1])[None] >= lengths[:, None]
        w = torch.stack([self.step(state, projected, hidden) for state in queries.unbind(1)], 1)
        return (w[..., None] * values[:, None]).sum(2), w
