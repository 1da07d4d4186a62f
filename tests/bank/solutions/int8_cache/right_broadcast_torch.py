"""Sums of products instead of matrix products."""
import torch


def quantize(x):
    scale = torch.amax(torch.abs(x), -1) / 127
    codes = torch.zeros_like(x, dtype=torch.int8)
    used = scale > 0
    codes[used] = torch.round(x[used] / scale[used][:, None]).to(torch.int8)
    return codes, scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    products = (q[:, :, :, None] * keys_q[:, :, None]).sum(-1)
    scores = products * (key_scale / q.shape[-1] ** 0.5)[:, :, None]
    weights = torch.exp(scores - scores.max(-1, keepdim=True).values)
    shares = weights / weights.sum(-1, keepdim=True) * value_scale[:, :, None]
    return (shares[..., None] * values_q[:, :, None]).sum(3)
