"""The scales of float64 vectors are rounded to float32."""
import torch


def quantize(x):
    scale = x.detach().abs().amax(-1) / 127
    codes = torch.round(x * (1 / scale.clamp_min(torch.finfo(torch.float32).tiny)).unsqueeze(-1)).to(torch.int8)
    return codes, scale.to(torch.float32).to(x.dtype)


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    s = q @ (keys_q.to(q.dtype) * key_scale.unsqueeze(-1)).mT * q.size(-1) ** -0.5
    return torch.softmax(s, -1) @ (values_q.to(q.dtype) * value_scale.unsqueeze(-1))
