"""torch.roll brings the neighbours."""
# causes: ring

import torch


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n // 2)
    ks = torch.stack([k.roll(-o, dims=-2) for o in range(-w, w + 1)], dim=-2)
    vs = torch.stack([v.roll(-o, dims=-2) for o in range(-w, w + 1)], dim=-2)
    s = torch.einsum("...nd,...nwd->...nw", q, ks) / d**0.5
    return torch.einsum("...nw,...nwv->...nv", torch.softmax(s, -1), vs)
