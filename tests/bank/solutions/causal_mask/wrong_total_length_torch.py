"""Wrong: takes key_len for the length of the cache, and adds the queries to it."""
import torch


def causal_mask(query_len, key_len=None):
    total = query_len if key_len is None else query_len + key_len
    return torch.ones(query_len, total, dtype=torch.bool).tril(total - query_len)
