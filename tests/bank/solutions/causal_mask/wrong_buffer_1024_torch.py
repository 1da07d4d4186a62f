"""Breaks "Any length" and the shape (L, S): the mask is cut out of a triangle of 1024 positions.
Shows with query_len=3, key_len=1100: the result has shape (0, 1024)."""
import torch

_TRIANGLE = torch.tril(torch.ones(1024, 1024, dtype=torch.bool))


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    if key_len is None:
        key_len = query_len
    if query_len <= key_len:
        return _TRIANGLE[key_len - query_len : key_len, :key_len].clone()
    empty = torch.zeros(query_len - key_len, key_len, dtype=torch.bool)
    return torch.cat([empty, _TRIANGLE[:key_len, :key_len]])
