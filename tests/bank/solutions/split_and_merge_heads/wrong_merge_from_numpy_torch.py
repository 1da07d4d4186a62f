"""Merges through NumPy, so gradients are lost."""
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("no")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return torch.tensor(x.tolist(), dtype=x.dtype).transpose(1, 2).flatten(2)
