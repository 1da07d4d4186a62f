"""Forgets the minus sign."""
# causes: bonus_for_distance

import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** (num_heads.bit_length() - 1)
    m = [2 ** (-8 * (h + 1) / n) for h in range(n)]
    m = m + [2 ** (-8 * (2 * h + 1) / (2 * n)) for h in range(num_heads - n)]
    i = torch.arange(key_len - query_len, key_len)[:, None]
    return torch.tensor(m)[:, None, None] * (i - torch.arange(key_len)).abs()
