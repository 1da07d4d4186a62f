"""B, n, D."""
# causes: axes_counted_from_the_front

import torch


def sliding_window_attention(q, k, v, window):
    B, n, d = q.shape
    out = torch.empty_like(v)
    for a in range(0, n, 64):
        b = min(a + 64, n)
        lo, hi = max(0, a - window), min(n, b + window)
        s = q[:, a:b] @ k[:, lo:hi].mT / d**0.5
        far = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() > window
        out[:, a:b] = torch.softmax(s.masked_fill(far, float("-inf")), -1) @ v[:, lo:hi]
    return out
