"""j <= i + S - L + 1, since we count from 0."""
# causes: one_token_leaks

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    S = query_len if key_len is None else key_len
    i = torch.arange(query_len)[:, None]
    j = torch.arange(S)
    return j <= i + S - query_len + 1
