import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    weights = (q @ k.transpose(-2, -1)).tril()  # (B, n, n)
    return weights @ v / weights.sum(dim=-1, keepdim=True)
