"""Normalises all three."""
# causes: values_normalised

import math

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q, k, v = (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) for x in (q, k, v))
    s = (q * gain_q) @ (k * gain_k).mT / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v
