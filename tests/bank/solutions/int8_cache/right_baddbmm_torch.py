"""Heads in the batch, restored values, log-softmax."""
import torch


def quantize(x):
    scale = x.abs().topk(1, dim=-1).values / 127
    used = scale > 0
    codes = torch.where(used, x / torch.where(used, scale, 1), 0)
    return torch.round(codes).type(torch.int8), scale[..., 0]


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    B, H, L, D = q.shape
    keys = (keys_q * key_scale[..., None]).reshape(B * H, -1, D)
    values = torch.einsum("bhsv,bhs->bhsv", values_q.to(value_scale.dtype), value_scale)
    scores = torch.bmm(q.reshape(B * H, L, D), keys.transpose(1, 2)).div(D**0.5)
    weights = torch.log_softmax(scores, dim=2).exp()
    return torch.bmm(weights, values.reshape(B * H, -1, values.shape[-1])).reshape(B, H, L, -1)
