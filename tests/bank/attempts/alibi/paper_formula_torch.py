"""m (j - i), with one formula for the slopes."""
# causes: signed_distance, formula_for_every_number

import torch


def alibi_bias(num_heads, query_len, key_len):
    heads = torch.arange(1, num_heads + 1)
    m = 2.0 ** (-8.0 * heads / num_heads)
    relative = torch.arange(key_len)[None, :] - torch.arange(key_len - query_len, key_len)[:, None]
    return m[:, None, None] * relative
