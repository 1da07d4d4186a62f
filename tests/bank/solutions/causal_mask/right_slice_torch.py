"""Right: the last rows or columns of one big square triangle."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    n = max(query_len, key_len)
    square = torch.ones(n, n).cumsum(0) >= torch.ones(n, n).cumsum(1)
    return square[n - query_len :, n - key_len :]
