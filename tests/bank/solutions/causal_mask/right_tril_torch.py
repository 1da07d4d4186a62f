"""Right: tril of a boolean matrix of ones."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    return torch.tril(torch.ones((query_len, key_len), dtype=torch.bool), diagonal=key_len - query_len)
