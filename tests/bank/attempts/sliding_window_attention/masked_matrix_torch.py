"""Mask the matrix of all scores."""
# causes: dense

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    i = torch.arange(n)
    far = (i[:, None] - i).abs() > window
    s = (q @ k.mT / d**0.5).masked_fill(far, float("-inf"))
    return torch.softmax(s, dim=-1) @ v
