"""Only the past has a distance."""
# causes: future_at_no_distance

import math

import torch


def alibi_bias(num_heads, query_len, key_len):
    n = 2 ** int(math.log2(num_heads))
    m = [2 ** (-8 * (h + 1) / n) for h in range(n)]
    m += [2 ** (-8 * (h + 1) / (2 * n)) for h in range(0, 2 * n, 2)][: num_heads - n]
    i = torch.arange(query_len)[:, None] + key_len - query_len
    j = torch.arange(key_len)[None, :]
    return -torch.tensor(m)[:, None, None] * torch.relu((i - j).float())
