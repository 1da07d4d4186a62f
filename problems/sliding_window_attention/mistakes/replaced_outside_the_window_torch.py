import torch


def sliding_window_attention(q, k, v, window):
    n, D = q.shape[-2:]
    w = min(window, n)
    rows = []
    for a in range(0, n, 128):
        b = min(n, a + 128)
        lo, hi = max(0, a - w), min(n, b + w)
        s = torch.einsum("...id,...jd->...ij", q[..., a:b, :], k[..., lo:hi, :]) * D**-0.5
        near = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() <= w
        m = s.detach().masked_fill(~near, -torch.inf).amax(-1, keepdim=True)
        e = torch.where(near, torch.exp(s - m), 0.0)
        rows.append(e @ v[..., lo:hi, :] / e.sum(-1, keepdim=True))
    return torch.cat(rows, -2)
