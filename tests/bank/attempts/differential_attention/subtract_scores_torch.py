"""Take the second scores from the first, then one softmax."""
# causes: scores_subtracted

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = q1.shape[-1] ** 0.5
    s1 = q1 @ k1.transpose(-2, -1) / scale
    s2 = q2 @ k2.transpose(-2, -1) / scale
    return torch.softmax(s1 - lam[:, None, None] * s2, dim=-1) @ v
