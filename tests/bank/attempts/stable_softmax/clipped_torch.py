"""Clip the scores so that exp cannot overflow."""
# causes: scores_clipped|scores_clipped_at_eighty

import torch


def softmax(x: torch.Tensor, axis: int = -1):
    e = torch.exp(torch.clamp(x, -80, 80))
    e = e.masked_fill(x == float("-inf"), 0.0)
    s = e.sum(dim=axis, keepdim=True)
    return e / torch.where(s == 0, torch.ones_like(s), s)
