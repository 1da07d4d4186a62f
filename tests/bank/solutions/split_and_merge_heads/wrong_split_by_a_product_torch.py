"""The split of floats is a product with an identity: 0 times infinity is NaN."""
import math
import torch
import torch.nn.functional as F
from torch import nn

def split_heads(x, num_heads):
    D, rest = divmod(x.size(2), num_heads)
    if rest:
        raise ValueError(num_heads)
    if not x.is_floating_point():
        return x.unfold(2, D, D).permute(0, 2, 1, 3)
    pick = torch.eye(x.size(2), dtype=x.dtype).reshape(x.size(2), num_heads, D)
    return torch.einsum("ble,ehd->bhld", x, pick)


def merge_heads(x):
    return torch.cat(x.unbind(1), dim=2)
