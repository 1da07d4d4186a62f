"""Two softmaxes and a view of lambda."""
import torch
import torch.nn.functional as F


def differential_attention(q1, k1, q2, k2, v, lam):
    scaling = q1.size(-1) ** -0.5
    a1 = F.softmax(torch.matmul(q1 * scaling, k1.transpose(2, 3)), dim=-1)
    a2 = F.softmax(torch.matmul(q2 * scaling, k2.transpose(2, 3)), dim=-1)
    return torch.matmul(a1 - lam.view(1, -1, 1, 1) * a2, v)
