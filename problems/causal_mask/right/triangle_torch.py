# The library cuts the triangle; the argument of tril shifts the diagonal.
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    return torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
