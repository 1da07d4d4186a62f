"""The formula in PyTorch."""
# causes: none

import math

import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** int(math.log2(num_heads))
    m = torch.tensor([2 ** (-8 * (h + 1) / n) for h in range(n)])
    if n != num_heads:
        more = torch.tensor([2 ** (-8 * (h + 1) / (2 * n)) for h in range(2 * n)])
        m = torch.cat([m, more[0::2][: num_heads - n]])
    i = torch.arange(query_len).unsqueeze(1) + key_len - query_len
    j = torch.arange(key_len).unsqueeze(0)
    return -m.view(-1, 1, 1) * (i - j).abs()
