# einsum names the axes: n tokens, d features, v numbers of a value; both sums are alike.
import torch
from torch.nn.functional import elu


def linear_attention(q, k, v):
    q, k = elu(q) + 1, elu(k) + 1
    memory = torch.einsum("bnd,bnv->bdv", k, v)
    total = torch.einsum("bnd,bd->bn", q, k.sum(dim=1))
    return torch.einsum("bnd,bdv->bnv", q, memory) / total[:, :, None]
