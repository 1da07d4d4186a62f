"""Divide by the sum of all the exponentials."""
# causes: normalised_as_a_whole, nan_where_nothing_is_available

import torch


def softmax(x: torch.Tensor, axis: int = -1):
    m = x.max(dim=axis, keepdim=True).values
    e = torch.exp(x - m)
    return e / e.sum()
