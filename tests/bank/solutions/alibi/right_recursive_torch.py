"""The authors' recursion, and a view."""
import math

import torch


def slopes(n):
    def power(n):
        return [2 ** (-8 * (i + 1) / n) for i in range(n)]

    if n & (n - 1) == 0:
        return power(n)
    low = 1 << int(math.log2(n))
    return power(low) + power(2 * low)[::2][: n - low]


def alibi_bias(num_heads, query_len, key_len):
    positions = torch.arange(key_len)
    queries = torch.arange(query_len).view(-1, 1) + (key_len - query_len)
    return (positions - queries).abs().neg().float() * torch.tensor(slopes(num_heads)).view(-1, 1, 1)
