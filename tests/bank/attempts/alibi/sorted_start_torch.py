"""Sorts the slopes, and begins at the first key."""
# causes: slopes_sorted, aligned_to_the_start

import math

import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    m = [2 ** (-8 * (h + 1) / n) for h in range(n)]
    m += [2 ** (-8 * (h + 1) / (2 * n)) for h in range(0, 2 * n, 2)][: num_heads - n]
    m = torch.tensor(sorted(m, reverse=True))
    i, j = torch.arange(query_len), torch.arange(key_len)
    return -m[:, None, None] * (i[:, None] - j).abs()
