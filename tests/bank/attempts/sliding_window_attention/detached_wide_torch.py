"""The weights are found without gradients, one key further."""
# causes: weights_detached, window_too_large

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = []
    reach = window + 1
    for a in range(0, n, 64):
        b = min(a + 64, n)
        lo, hi = max(0, a - reach), min(n, b + reach)
        with torch.no_grad():
            s = q[..., a:b, :] @ k[..., lo:hi, :].mT / d**0.5
            far = (torch.arange(a, b)[:, None] - torch.arange(lo, hi)).abs() > reach
            p = torch.softmax(s.masked_fill(far, float("-inf")), -1)
        out.append(p @ v[..., lo:hi, :])
    return torch.cat(out, dim=-2)
