"""Mark what is to be hidden."""
# causes: polarity_inverted

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    S = query_len if key_len is None else key_len
    return torch.triu(torch.ones(query_len, S), diagonal=1 + S - query_len).bool()
