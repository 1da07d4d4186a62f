"""tensor_split and stack; the way back with cat of unbound heads."""
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("the width cannot be shared out evenly")
    return torch.stack(torch.tensor_split(x, num_heads, dim=2), dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)
