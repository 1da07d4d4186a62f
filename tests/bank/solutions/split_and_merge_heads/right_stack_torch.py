"""In another style: stack."""

import torch


def split_heads(x, num_heads):
    class Bad(ValueError): ...

    if x.shape[-1] % num_heads:
        raise Bad
    return torch.stack(x.chunk(num_heads, -1), 1)


def merge_heads(x):
    return torch.cat(x.unbind(1), -1)
