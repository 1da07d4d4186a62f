"""window // 2 on each side."""
# causes: window_as_a_whole_width

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    half = window // 2
    out = []
    for a in range(0, n, 64):
        b = min(a + 64, n)
        lo, hi = max(0, a - half), min(n, b + half)
        s = q[..., a:b, :] @ k[..., lo:hi, :].mT / d**0.5
        far = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() > half
        out.append(torch.softmax(s.masked_fill(far, float("-inf")), -1) @ v[..., lo:hi, :])
    return torch.cat(out, dim=-2)
