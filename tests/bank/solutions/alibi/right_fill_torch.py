"""Right. Fills the answer in place, head after head, with integer distances on both sides of the diagonal."""
import math

import torch


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    offsets = torch.arange(query_len).unsqueeze(1).sub(torch.arange(key_len)).add_(key_len - query_len)
    distance = torch.where(offsets < 0, -offsets, offsets)
    bias = torch.empty(num_heads, query_len, key_len, dtype=torch.float32)
    whole, part = divmod(math.log2(num_heads), 1.0)
    n = 2 ** int(whole)
    for h in range(num_heads):
        exponent = (h + 1) / n if h < n else (2 * (h - n) + 1) / (2 * n)
        bias[h] = distance.double().mul_(-(2.0 ** (-8.0 * exponent)))
    return bias
