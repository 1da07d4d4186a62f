"""The root of the number of keys."""
# causes: root_of_key_count

import torch


def batch_attention(queries, keys, values):
    b, d = queries.shape
    n, dv = values.shape
    att = torch.einsum("bd,nd->bn", queries, keys) / n**0.5
    att = att.softmax(dim=-1)
    return torch.einsum("bn,nv->bv", att, values), att
