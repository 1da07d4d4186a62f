import torch.nn.functional as F


def feature_map(x):
    return F.elu(x) + 1  # never negative


def linear_attention(q, k, v):
    q = feature_map(q)  # (B, n, D)
    k = feature_map(k)  # (B, n, D)
    memory = k.transpose(-2, -1) @ v  # (B, D, Dv): all keys and values, summed once
    normaliser = k.sum(dim=-2).unsqueeze(-1)  # (B, D, 1)
    return (q @ memory) / (q @ normaliser)  # (B, n, Dv)
