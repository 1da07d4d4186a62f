"""In another style: greater_equal outer."""

import torch


def causal_mask(query_len, key_len=None):
    S = query_len if key_len is None else key_len
    m = torch.zeros(query_len, S).bool()
    for i in range(query_len):
        m[i, : max(0, i + S - query_len + 1)] = True
    return m
