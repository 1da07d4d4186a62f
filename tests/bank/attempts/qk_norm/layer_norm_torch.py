"""A layer norm without its bias."""
# causes: mean_subtracted

import math

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    def norm(x, gain):
        x = x - x.mean(dim=-1, keepdim=True)
        return x / torch.sqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps) * gain

    s = norm(q, gain_q) @ norm(k, gain_k).transpose(-2, -1) / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v
