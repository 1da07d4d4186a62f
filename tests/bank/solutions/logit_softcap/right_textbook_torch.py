"""As in the libraries: divide, tanh, multiply, then mask."""
import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    s = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(q.size(-1))
    s = s / cap
    s = torch.tanh(s)
    s = s * cap
    if causal:
        keep = torch.tril(torch.ones(s.shape[-2:], dtype=torch.bool), k.size(-2) - q.size(-2))
        return s.masked_fill(~keep, torch.finfo(s.dtype).min).softmax(-1).masked_fill(~keep, 0) @ v
    return s.softmax(-1) @ v
