"""Compare positions."""
# causes: none

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    if key_len is None:
        key_len = query_len
    i = torch.arange(query_len).unsqueeze(1)
    j = torch.arange(key_len).unsqueeze(0)
    return j <= i + key_len - query_len
