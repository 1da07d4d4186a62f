"""Breaks "Other numbers of heads are refused": torch.chunk may give fewer chunks that are all equal. E = 6, H = 4 gives
three heads of width 2 and no ValueError; E = 5, H = 2 is refused."""
import torch


def split_heads(x, num_heads):
    if num_heads > x.shape[-1]:
        raise ValueError("more heads than columns")
    try:
        return torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    except RuntimeError as error:            # chunks of different widths
        raise ValueError("E must be divisible by num_heads") from error


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)
