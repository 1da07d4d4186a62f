"""One formula, and the first query at the first key."""
# causes: formula_for_every_number, aligned_to_the_start

import torch


def alibi_bias(num_heads, query_len, key_len):
    m = torch.pow(2.0, -8 * torch.arange(1, num_heads + 1) / num_heads)
    i = torch.arange(query_len)[:, None]
    j = torch.arange(key_len)[None, :]
    return -m[:, None, None] * (i - j).abs()
