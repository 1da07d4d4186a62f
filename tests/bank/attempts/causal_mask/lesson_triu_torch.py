"""One minus the upper triangle, as in the annotated transformer."""
# causes: none

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    S = query_len if key_len is None else key_len
    future = torch.triu(torch.ones(query_len, S), diagonal=1 + S - query_len).type(torch.uint8)
    return future == 0
