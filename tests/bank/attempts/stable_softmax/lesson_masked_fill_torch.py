"""Replace the maximum and the sum of an empty slice before they are used."""
# causes: none

import torch


def softmax(x: torch.Tensor, axis: int = -1):
    if not x.is_floating_point():
        x = x.float()
    m = x.amax(dim=axis, keepdim=True)
    m = m.masked_fill(m == float("-inf"), 0.0)
    e = torch.exp(x - m)
    s = e.sum(dim=axis, keepdim=True)
    return e / s.masked_fill(s == 0, 1.0)
