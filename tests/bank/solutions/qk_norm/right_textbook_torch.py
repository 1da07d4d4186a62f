"""rsqrt, as in the libraries."""
import math

import torch


def rms(x, weight, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * weight


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    s = rms(q, gain_q, eps) @ rms(k, gain_k, eps).transpose(-2, -1) / math.sqrt(q.size(-1))
    return s.softmax(dim=-1) @ v
