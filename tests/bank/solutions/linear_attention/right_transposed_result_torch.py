"""Works in (B, D, n) with broadcasting and returns a non-contiguous view."""

import torch


def linear_attention(q, k, v):
    q, k, v = (x.transpose(1, 2) for x in (torch.nn.functional.elu(q) + 1, torch.nn.functional.elu(k) + 1, v))
    kv = (k[:, :, None, :] * v[:, None, :, :]).sum(dim=-1)  # (B, D, Dv)
    out = kv.mT @ q / (q * k.sum(dim=-1, keepdim=True)).sum(dim=1, keepdim=True)
    return out.transpose(1, 2)
