"""One running sum of all outer products, by broadcasting and matmul."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = (k.unsqueeze(-1) * v.unsqueeze(-2)).cumsum(dim=1)
    z = k.cumsum(dim=1)
    return torch.matmul(q.unsqueeze(-2), kv).squeeze(-2) / (q * z).sum(-1, keepdim=True)
