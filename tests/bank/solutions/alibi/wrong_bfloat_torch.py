"""Wrong: "m_h = 2^(-8 (h + 1) / H)": the slopes go through bfloat16, exact up to 8 heads only.
alibi_bias(32, 1, 2): the first slope 2^-0.25 is off by a thousandth."""
import torch


def _power(heads):
    return [2.0 ** (-8.0 * (h + 1) / heads) for h in range(heads)]


def alibi_bias(num_heads: int, query_len: int, key_len: int) -> torch.Tensor:
    n = 1 << (num_heads.bit_length() - 1)
    slopes = torch.tensor(_power(n) + _power(2 * n)[::2][: num_heads - n], dtype=torch.bfloat16)
    i = torch.arange(query_len)[:, None] + (key_len - query_len)
    distance = (i - torch.arange(key_len)[None, :]).abs().float()
    return -slopes.float()[:, None, None] * distance
