# Columns are cut apart and stacked, then taken from the stack and put side by side again.
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError(f"{num_heads} heads do not divide a width of {x.shape[-1]}")
    return torch.stack(x.chunk(num_heads, dim=-1), dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(dim=1), dim=-1)
