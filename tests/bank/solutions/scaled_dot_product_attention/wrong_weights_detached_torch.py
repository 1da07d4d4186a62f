"""The returned weights have no history."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    w = torch.softmax(q @ k.mT * scale, -1)
    return w @ v, w.detach()
