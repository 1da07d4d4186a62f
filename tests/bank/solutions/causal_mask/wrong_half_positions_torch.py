"""Breaks "Any length": positions are float16, which is exact up to 2048 only.
Shows with query_len=2060: query 2048 sees key 2049."""
import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    key_len = query_len if key_len is None else key_len
    i = (torch.arange(query_len) + (key_len - query_len)).half()
    j = torch.arange(key_len).half()
    return j[None, :].float() <= i[:, None].float()
