"""In another style: tril."""

import torch


def causal_mask(query_len, key_len=None):
    S = key_len or query_len
    return ~torch.triu(torch.ones(query_len, S, dtype=torch.bool), S - query_len + 1)
