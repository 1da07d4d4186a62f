"""Writes the rows into an output of the default dtype, so float64 goes in and float32 comes out."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    kv, z = k.mT @ v, k.sum(dim=1).unsqueeze(-1)
    out = torch.zeros(v.shape)
    for i in range(len(out)):
        out[i] = q[i] @ kv[i] / (q[i] @ z[i])
    return out
