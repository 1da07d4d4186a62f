"""Nested lists, made an array at the end."""

import torch


def causal_mask(L, key_len=None):
    S = L if key_len is None else key_len
    return torch.tensor([[j - S <= i - L for j in range(S)] for i in range(L)])
