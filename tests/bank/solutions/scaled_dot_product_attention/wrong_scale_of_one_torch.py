"""A scale of 1 is taken for the default."""
import torch


def scaled_dot_product_attention(q, k, v, scale=1.0):
    if scale is None or scale == 1:
        scale = q.shape[-1] ** -0.5
    w = torch.softmax(q @ k.mT * scale, -1)
    return w @ v, w
