"""Minus infinity where nobody may look."""
# causes: penalties, landmarks_only_seen

import torch


def sparse_mask(n, stride):
    i = torch.arange(n)
    see = ((i[:, None] - i).abs() <= stride) | (i % stride == 0)[None]
    return torch.zeros(n, n).masked_fill(~see, float("-inf"))
