"""Right: the largest entry is the infinity norm, keys and values are multiplied out, einsum and log_softmax; another
divisor (1) stands in for the scale of a vector of zeros."""
import math

import torch


def quantize(x):
    scale = torch.linalg.vector_norm(x, ord=math.inf, dim=-1) / 127.0
    divisor = scale.masked_fill(scale == 0, 1.0)
    codes = torch.div(x, divisor.unsqueeze(-1)).round().clamp(-127, 127)
    return codes.to(torch.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale):
    keys = torch.einsum("bhsd,bhs->bhsd", keys_q.to(q.dtype), key_scale)
    values = torch.einsum("bhsd,bhs->bhsd", values_q.to(q.dtype), value_scale)
    scores = torch.einsum("bhld,bhsd->bhls", q, keys) / math.sqrt(q.shape[-1])
    weights = torch.log_softmax(scores, dim=-1).exp()
    return torch.einsum("bhls,bhsd->bhld", weights, values)
