"""The axis of a batch of one is gone from the output."""

import torch


def sliding_window_attention(q, k, v, window):
    n, D = q.shape[-2:]
    size = 256
    outs = []
    for a in range(0, n, size):
        b = min(n, a + size)
        lo, hi = max(0, a - window), min(n, b + window)
        s = torch.einsum("...id,...jd->...ij", q[..., a:b, :], k[..., lo:hi, :]) / D**0.5
        far = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() > window
        p = torch.softmax(s.masked_fill(far, torch.finfo(s.dtype).min), -1)
        outs.append(p @ v[..., lo:hi, :])
    o = torch.cat(outs, -2)
    return o.squeeze(0) if o.ndim == 3 else o
