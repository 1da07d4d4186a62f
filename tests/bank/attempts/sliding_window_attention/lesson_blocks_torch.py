"""Blocks of queries with the keys around them."""
# causes: none

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = []
    for a in range(0, n, 128):
        b = min(a + 128, n)
        lo, hi = max(0, a - window), min(n, b + window)
        s = q[..., a:b, :] @ k[..., lo:hi, :].transpose(-1, -2) / d**0.5
        far = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() > window
        out.append(torch.softmax(s.masked_fill(far, float("-inf")), -1) @ v[..., lo:hi, :])
    return torch.cat(out, dim=-2)
