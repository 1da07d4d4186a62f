"""Which keys a query may see when nobody looks ahead; the last query stands at the last key."""

import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    i = torch.arange(query_len)[:, None]  # (L, 1)
    j = torch.arange(key_len)[None, :]  # (1, S)
    return j <= i + key_len - query_len  # (L, S), True = may attend
