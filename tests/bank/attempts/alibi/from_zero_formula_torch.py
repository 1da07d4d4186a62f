"""Exponents from 0, one formula."""
# causes: slopes_from_zero, formula_for_every_number

import torch


def alibi_bias(num_heads, query_len, key_len):
    m = torch.tensor([2 ** (-8 * h / num_heads) for h in range(num_heads)])
    d = (torch.arange(query_len)[:, None] + key_len - query_len - torch.arange(key_len)).abs()
    return -m[:, None, None] * d
