"""Running sums, with the usual 1e-6 in the denominator."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    memory = torch.cumsum(torch.einsum("bnd,bne->bnde", k, v), dim=1)
    z = torch.einsum("bnd,bnd->bn", q, torch.cumsum(k, dim=1)) + 1e-6
    return torch.einsum("bnd,bnde->bne", q, memory) / z.unsqueeze(-1)
