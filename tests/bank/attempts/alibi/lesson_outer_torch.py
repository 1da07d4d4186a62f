"""Slopes in one list, distances from one row."""
# causes: none

import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 1 << (num_heads.bit_length() - 1)
    e = [8 * (h + 1) / n if h < n else 4 * (2 * (h - n) + 1) / n for h in range(num_heads)]
    m = torch.exp2(-torch.tensor(e))
    d = torch.arange(key_len)[None] - torch.arange(key_len - query_len, key_len)[:, None]
    return torch.einsum("h,ij->hij", m, -d.abs().float())
