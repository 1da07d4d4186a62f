"""chunk and stack, unbind and cat."""
import torch


def split_heads(x, num_heads):
    if x.shape[2] % num_heads != 0:
        raise ValueError(num_heads)
    return torch.stack(x.chunk(num_heads, dim=2), dim=1)


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=-1)
