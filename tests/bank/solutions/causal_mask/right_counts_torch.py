"""How many keys each query sees, counted first; then a row of so many."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = key_len if key_len is not None else query_len
    counts = (torch.arange(query_len) + (key_len - query_len) + 1).clamp(0, key_len)
    return torch.stack([torch.arange(key_len) < c for c in counts])
