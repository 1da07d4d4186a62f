"""Wrong: axes for batch and heads in front, (1, 1, L, S)."""
import torch


def causal_mask(query_len, key_len=None):
    key_len = query_len if key_len is None else key_len
    mask = torch.ones(query_len, key_len, dtype=torch.bool).tril(key_len - query_len)
    return mask[None, None]
