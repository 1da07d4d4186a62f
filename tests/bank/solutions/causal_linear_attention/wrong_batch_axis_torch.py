"""The running sum is taken along the flattened batch, so examples run into each other."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    a, b = F.elu(q) + 1, F.elu(k) + 1
    s = (b[..., None] * v[:, :, None]).flatten(0, 1).cumsum(0).view(*b.shape, -1)
    z = b.flatten(0, 1).cumsum(0).view_as(b)
    return torch.einsum("bnd,bndv->bnv", a, s) / (a * z).sum(-1, keepdim=True)
