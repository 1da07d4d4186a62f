import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    rows = []
    for block in q.split(256, dim=1):
        weights = block @ k.transpose(-2, -1)  # (B, 256, n)
        rows.append(weights @ v / weights.sum(dim=-1, keepdim=True))
    return torch.cat(rows, dim=1)
