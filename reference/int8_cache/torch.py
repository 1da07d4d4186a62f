"""An int8 cache: absmax quantisation (Dettmers et al. 2022, section 2.1), a scale for each vector."""

import math

import torch


def quantize(x):
    """x (B, H, S, D) -> codes (B, H, S, D) of int8, scale (B, H, S)."""
    scale = x.abs().amax(dim=-1) / 127  # (B, H, S)
    steps = x / torch.where(scale == 0, 1, scale)[..., None]  # from -127 to 127
    return torch.round(steps).to(torch.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    """q (B, H, L, D), keys_q (B, H, S, D), values_q (B, H, S, Dv), scales (B, H, S) -> (B, H, L, Dv)."""
    keys, values = keys_q.to(q.dtype), values_q.to(q.dtype)
    scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, H, L, S)
    weights = torch.softmax(scores * key_scale[..., None, :], dim=-1)  # a key's scale
    shares = weights * value_scale[..., None, :]  # and a value's is a factor of its weight
    return shares @ values  # (B, H, L, Dv)
