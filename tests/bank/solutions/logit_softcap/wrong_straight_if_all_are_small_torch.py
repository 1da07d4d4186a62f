"""Where all scores are below a hundredth of the cap, none is bent."""

import math

import torch


def softcapped_attention(q, k, v, cap: float, causal: bool = False) -> torch.Tensor:
    """Attend with scores that are pressed smoothly between -cap and cap."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
    if scores.detach().abs().max() >= cap / 100:
        scores = cap * torch.tanh(scores / cap)
    # else: tanh(x) = x for small x
    if causal:
        i = torch.arange(L, device=q.device)[:, None]
        j = torch.arange(S, device=q.device)[None, :]
        scores = scores.masked_fill(j > i + S - L, float("-inf"))
    top = scores.detach().amax(dim=-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).min)
    e = torch.exp(scores - top)
    return (e / e.sum(dim=-1, keepdim=True).clamp(min=1)) @ v
