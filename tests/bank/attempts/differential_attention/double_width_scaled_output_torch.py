"""Twice the width, and 1 - lambda at the end as in the paper."""
# causes: root_of_both_widths, output_scaled

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = (2 * q1.shape[-1]) ** 0.5
    a1 = torch.softmax(q1 @ k1.mT / scale, dim=-1)
    a2 = torch.softmax(q2 @ k2.mT / scale, dim=-1)
    lam = lam[:, None, None]
    return (1 - lam) * ((a1 - lam * a2) @ v)
