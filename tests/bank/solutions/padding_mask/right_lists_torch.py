"""Nested lists, made an array at the end."""

import torch


def padding_mask(tokens, pad_id=0):
    return torch.tensor([[[t != pad_id for t in row]] for row in tokens.tolist()], dtype=torch.bool)
