import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    size = min(64, q.shape[1])
    blocks = [slice(i * size, (i + 1) * size) for i in range(q.shape[1] // size)]
    memory = sum(k[:, s].transpose(-2, -1) @ v[:, s] for s in blocks)  # (B, D, Dv)
    normaliser = sum(k[:, s].sum(dim=1) for s in blocks).unsqueeze(-1)  # (B, D, 1)
    output = torch.zeros_like(v)
    for s in blocks:
        output[:, s] = (q[:, s] @ memory) / (q[:, s] @ normaliser)
    return output
