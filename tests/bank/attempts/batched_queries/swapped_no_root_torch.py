"""The weights and what they give."""
# causes: results_exchanged, no_scale

import torch
import torch.nn.functional as F


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    weights = F.softmax(torch.einsum("bd,nd->bn", queries, keys), dim=-1)
    return weights, torch.einsum("bn,nv->bv", weights, values)
