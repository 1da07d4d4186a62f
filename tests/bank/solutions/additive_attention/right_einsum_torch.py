"""Matrix products with the raw weights, and exponentials below a maximum of the real keys."""
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, query_dim, key_dim, hidden_dim):
        super().__init__()
        self.W_q = nn.Linear(query_dim, hidden_dim, bias=False)
        self.W_k = nn.Linear(key_dim, hidden_dim, bias=False)
        self.v = nn.Linear(hidden_dim, 1, bias=False)

    def forward(self, queries, keys, values, lengths=None):
        a = torch.einsum("bld,hd->blh", queries, self.W_q.weight)
        c = torch.einsum("bsd,hd->bsh", keys, self.W_k.weight)
        s = torch.einsum("blsh,h->bls", (a[:, :, None] + c[:, None]).tanh(), self.v.weight[0])
        if lengths is not None:
            seen = torch.arange(keys.shape[1]) < lengths.view(-1, 1, 1)
            s = torch.where(seen, s, -1e30)
            e = torch.exp(s - s.amax(-1, keepdim=True).detach()) * seen
        else:
            e = torch.exp(s - s.amax(-1, keepdim=True).detach())
        w = e / (e.sum(-1, keepdim=True) + 1e-9)
        return torch.einsum("bls,bsv->blv", w, values), w
