"""A running maximum and a running sum over blocks of two keys."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    scores, top, total, out = [], None, 0, 0
    for kb, vb in zip(k.split(2, -2), v.split(2, -2)):
        s = (q * scale) @ kb.mT
        scores.append(s)
        new = s.amax(-1, keepdim=True).detach()
        if top is not None:
            new = torch.maximum(new, top)
            shrink = torch.exp(top - new)
            total, out = total * shrink, out * shrink
        e = torch.exp(s - new)
        total, out, top = total + e.sum(-1, keepdim=True), out + e @ vb, new
    return out / total, torch.exp(torch.cat(scores, -1) - top) / total
