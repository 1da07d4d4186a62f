"""One lambda for the layer, and no negative attention."""
# causes: negative_weights_cut_off, mean_lambda_for_all

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = q1.shape[-1] ** 0.5
    a1 = torch.softmax(q1 @ k1.transpose(-2, -1) / scale, dim=-1)
    a2 = torch.softmax(q2 @ k2.transpose(-2, -1) / scale, dim=-1)
    w = torch.relu(a1 - lam.mean() * a2)
    return w @ v
