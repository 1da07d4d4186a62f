"""Breaks "Faint and loud vectors": the returned scale is right, but the divisor is at least 1e-12, so a vector whose
largest entry is 1e-20 gets codes of 0 only."""
import math

import torch


def quantize(x):
    scale = x.abs().amax(dim=-1) / 127
    codes = torch.round(x / scale.clamp(min=1e-12).unsqueeze(-1))
    return codes.to(torch.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    keys = keys_q.to(q.dtype) * key_scale.unsqueeze(-1)
    values = values_q.to(q.dtype) * value_scale.unsqueeze(-1)
    scores = q @ keys.transpose(-1, -2) / math.sqrt(q.shape[-1])
    return torch.softmax(scores, dim=-1) @ values
