"""Worked out in float32, handed back in the dtype that came."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    kind = v.dtype
    q, k, v = F.elu(q.float()) + 1, F.elu(k.float()) + 1, v.float()
    memory = torch.cumsum(k[..., :, None] * v[..., None, :], 1)
    out = torch.einsum("bnd,bnde->bne", q, memory) / (q * k.cumsum(1)).sum(-1, keepdim=True)
    return out.to(kind)
