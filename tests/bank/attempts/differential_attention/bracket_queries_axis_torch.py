"""lambda before the bracket, softmax over dim 2."""
# causes: both_weighted, softmax_over_queries

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = q1.shape[-1] ** 0.5
    a1 = torch.softmax(q1 @ k1.mT / scale, dim=2)
    a2 = torch.softmax(q2 @ k2.mT / scale, dim=2)
    return (lam[:, None, None] * (a1 - a2)) @ v
