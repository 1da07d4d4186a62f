"""The authors' lines, with 1e-6 in the denominator."""
import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.einsum("bnd,bne->bde", k, v)
    z = 1 / (torch.einsum("bnd,bd->bn", q, k.sum(dim=1)) + 1e-6)
    return torch.einsum("bnd,bde,bn->bne", q, kv, z)
