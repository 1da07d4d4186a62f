"""Scores below -9990 are cut off."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    w = torch.softmax(s.clamp(min=-9_990), -1)
    return w @ v, w
