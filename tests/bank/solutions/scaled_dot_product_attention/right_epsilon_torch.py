"""A guard of 1e-6, the largest that is allowed."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = (q @ k.mT) * scale
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    weights = weights / (weights.sum(-1, keepdim=True) + 1e-6)
    return weights @ v, weights
