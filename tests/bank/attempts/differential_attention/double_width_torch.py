"""d_model is split into two halves, so the width is 2D."""
# causes: root_of_both_widths

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = (2 * q1.shape[-1]) ** 0.5
    a1 = torch.softmax(q1 @ k1.mT / scale, dim=-1)
    a2 = torch.softmax(q2 @ k2.mT / scale, dim=-1)
    return (a1 - lam[:, None, None] * a2) @ v
