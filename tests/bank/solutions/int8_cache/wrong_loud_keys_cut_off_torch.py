import torch


def quantize(x):
    scale = x.abs().amax(-1) / 127
    safe = torch.where(scale == 0, 1, scale)
    codes = torch.round(x / safe[..., None]).to(torch.int8)
    return codes, scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    k = (keys_q.to(q.dtype) * key_scale[..., None]).clamp(-1e4, 1e4)
    v = values_q.to(q.dtype) * value_scale[..., None]
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    return torch.softmax(s, -1) @ v
