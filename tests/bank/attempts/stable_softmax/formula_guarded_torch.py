"""The formula, with a guard for sums of zero."""
# causes: no_maximum_subtracted

import torch


def softmax(x: torch.Tensor, axis: int = -1):
    e = torch.exp(x)
    s = e.sum(dim=axis, keepdim=True)
    return torch.where(s > 0, e / s, torch.zeros_like(e))
