"""The mask has ones and zeros, and each query can see at least the first key so that no row is empty."""
# causes: integers, other: first key always seen

import torch


def causal_mask(query_len, key_len=None):
    if key_len is None:
        key_len = query_len
    mask = torch.tril(torch.ones(query_len, key_len), diagonal=key_len - query_len)
    mask[:, 0] = 1
    return mask
