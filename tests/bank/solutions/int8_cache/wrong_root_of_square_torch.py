"""Breaks "Faint and loud vectors": the largest size is the root of the largest square, and a square leaves float32 below
1e-19 and above 1.8e19: entries of 1e20 give scale inf, entries of 1e-23 give scale 0 (1e-20: a coarse one)."""
import math

import torch


def quantize(x):
    scale = x.square().amax(dim=-1).sqrt() / 127
    inverse = torch.where(scale > 0, 1 / scale, torch.zeros_like(scale))
    return torch.round(x * inverse.unsqueeze(-1)).clamp(-127, 127).to(torch.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    scores = torch.matmul(q, keys_q.to(q.dtype).transpose(-1, -2)) * key_scale.unsqueeze(-2)
    weights = torch.softmax(scores / math.sqrt(q.shape[-1]), dim=-1)
    return torch.matmul(weights * value_scale.unsqueeze(-2), values_q.to(q.dtype))
