"""The keys enter through .data: no gradient reaches them."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ k.data.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    w = torch.softmax(s, dim=-1)
    return w @ v, w
