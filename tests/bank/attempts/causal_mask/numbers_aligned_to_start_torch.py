"""torch.tril of ones."""
# causes: integers, aligned_to_start

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    if key_len is None:
        key_len = query_len
    return torch.tril(torch.ones(query_len, key_len))
