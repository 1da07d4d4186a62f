"""chunk gives unequal pieces silently; pads them to the widest."""
import torch


def split_heads(x, num_heads):
    pieces = x.chunk(num_heads, dim=-1)
    width = max(p.shape[-1] for p in pieces)
    return torch.stack([torch.nn.functional.pad(p, (0, width - p.shape[-1])) for p in pieces], 1)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
