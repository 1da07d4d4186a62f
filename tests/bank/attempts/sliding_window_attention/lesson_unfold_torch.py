"""Padding and unfold give each query its neighbours."""
# causes: none

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    pad = torch.nn.functional.pad
    kp = pad(k, (0, 0, w, w)).unfold(-2, 2 * w + 1, 1)  # (..., n, D, 2w + 1)
    vp = pad(v, (0, 0, w, w)).unfold(-2, 2 * w + 1, 1)
    s = torch.einsum("...nd,...ndw->...nw", q, kp) / d**0.5
    j = torch.arange(n)[:, None] + torch.arange(-w, w + 1)
    s = s.masked_fill((j < 0) | (j >= n), float("-inf"))
    return torch.einsum("...nw,...nvw->...nv", torch.softmax(s, -1), vp)
