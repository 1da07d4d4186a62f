"""The scale is applied to the weights, after the softmax."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    w = torch.softmax(q @ k.mT, dim=-1) * scale
    return w @ v, w
