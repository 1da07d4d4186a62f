"""Wrong: every query may always see key 0, so that no row is empty."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    mask = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    mask[:, 0] = True
    return mask
