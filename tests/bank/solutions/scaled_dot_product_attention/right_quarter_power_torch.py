"""Queries and keys each scaled by d^(1/4), float64 inside, cast back."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    dtype = q.dtype
    d = q.shape[-1]
    q, k, v = q.double(), k.double(), v.double()
    if scale is None:
        q, k = q / d**0.25, k / d**0.25
    else:
        q = q * scale
    w = torch.nn.functional.softmax(torch.matmul(q, k.permute(*range(k.ndim - 2), -1, -2)), -1)
    return torch.matmul(w, v).to(dtype), w.to(dtype)
