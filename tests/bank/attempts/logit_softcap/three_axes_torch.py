"""Axes are batch, length, width, so transpose(1, 2); hidden keys get the smallest number and softmax does the rest."""
# causes: axes_counted_from_the_front, hidden_row_uniform

import torch


def softcapped_attention(q, k, v, cap: float, causal: bool = False) -> torch.Tensor:
    scale = q.shape[-1] ** -0.5
    scores = torch.matmul(q, k.transpose(1, 2)) * scale
    scores = cap * torch.tanh(scores / cap)
    if causal:
        L, S = q.shape[-2], k.shape[-2]
        i = torch.arange(L).view(-1, 1)
        j = torch.arange(S).view(1, -1)
        future = j > i + (S - L)
        scores = scores.masked_fill(future, torch.finfo(scores.dtype).min)
    return torch.matmul(scores.softmax(-1), v)
