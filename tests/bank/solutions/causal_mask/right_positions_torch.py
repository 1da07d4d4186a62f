"""Right: compares positions counted from the end, as floats."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    query = torch.linspace(1.0 - query_len, 0.0, query_len) if query_len > 1 else torch.zeros(1)
    key = torch.arange(1 - key_len, 1, dtype=torch.float64)
    return key.unsqueeze(0) <= query.round().unsqueeze(1)
