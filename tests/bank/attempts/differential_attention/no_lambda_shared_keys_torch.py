"""Both maps look at the same keys, and the difference is taken whole."""
# causes: keys_shared, lambda_left_out

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = q1.shape[-1] ** 0.5
    a1 = torch.softmax(q1 @ k1.mT / scale, dim=-1)
    a2 = torch.softmax(q2 @ k1.mT / scale, dim=-1)
    return (a1 - a2) @ v
