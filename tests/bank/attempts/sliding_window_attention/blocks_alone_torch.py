"""Attention inside blocks as long as the window."""
# causes: blocks_do_not_see_each_other

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = []
    for a in range(0, n, window + 1):
        b = min(a + window + 1, n)
        s = q[..., a:b, :] @ k[..., a:b, :].mT / d**0.5
        out.append(torch.softmax(s, -1) @ v[..., a:b, :])
    return torch.cat(out, dim=-2)
