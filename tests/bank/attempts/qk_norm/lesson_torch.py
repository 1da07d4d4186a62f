"""rsqrt and softmax."""
# causes: none

import math

import torch
import torch.nn.functional as F


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q = q * torch.rsqrt(q.pow(2).mean(dim=-1, keepdim=True) + eps) * gain_q
    k = k * torch.rsqrt(k.pow(2).mean(dim=-1, keepdim=True) + eps) * gain_k
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    return torch.matmul(F.softmax(scores, dim=-1), v)
