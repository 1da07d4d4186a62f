"""Every other slope of 2n, from the second."""
# causes: other_half_of_the_slopes

import math

import torch


def slopes(n):
    return [2 ** (-8 * (h + 1) / n) for h in range(n)]


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** math.floor(math.log2(num_heads))
    m = torch.tensor(slopes(n) + slopes(2 * n)[1::2][: num_heads - n])
    i = torch.arange(query_len) + key_len - query_len
    return -m[:, None, None] * (i[:, None] - torch.arange(key_len)[None]).abs()
