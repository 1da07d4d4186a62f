"""Wrong: with more queries than keys it swaps the two and turns the result, end for end."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    if query_len > key_len:
        return causal_mask(key_len, query_len).T
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
