import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    parts = []
    for a in range(0, n, 100):
        b = min(n, a + 100)
        lo, hi = max(0, a - window), min(n, b + window)
        s = torch.einsum("...id,...jd->...ij", q[..., a:b, :] * d**-0.5, k[..., lo:hi, :])
        keep = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() <= window
        s = torch.where(keep, s, torch.finfo(q.dtype).min)
        parts.append(torch.softmax(s, -1) @ v[..., lo:hi, :])
    return torch.cat(parts, -2)
