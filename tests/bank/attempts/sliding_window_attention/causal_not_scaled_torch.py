"""Each position and the ones before it."""
# causes: looks_back_only, no_scale

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = []
    for a in range(0, n, 64):
        b = min(a + 64, n)
        lo = max(0, a - window)
        s = q[..., a:b, :] @ k[..., lo:b, :].mT
        gap = torch.arange(a, b)[:, None] - torch.arange(lo, b)
        s = s.masked_fill((gap < 0) | (gap > window), float("-inf"))
        out.append(torch.softmax(s, -1) @ v[..., lo:b, :])
    return torch.cat(out, dim=-2)
