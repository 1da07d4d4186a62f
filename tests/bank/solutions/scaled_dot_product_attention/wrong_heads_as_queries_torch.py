"""As many heads as queries: the two change places."""

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    c = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.transpose(-1, -2) * c
    s = s.transpose(-3, -2) if s.dim() > 2 and s.shape[-3] == s.shape[-2] else s
    w = torch.softmax(s, -1)
    return w @ v, w
