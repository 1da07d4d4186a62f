"""The epsilon is added to the root."""
# causes: epsilon_outside

import math

import torch


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    def norm(x, gain):
        return x / (x.pow(2).mean(-1, keepdim=True).sqrt() + eps) * gain

    s = norm(q, gain_q) @ norm(k, gain_k).mT / math.sqrt(q.shape[-1])
    return s.softmax(-1) @ v
