"""The normaliser and the summary are computed without gradients, to save memory."""

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    with torch.no_grad():
        kv, z = k.mT @ v, k.sum(dim=1).unsqueeze(-1)
    return q @ kv / (q @ z)
