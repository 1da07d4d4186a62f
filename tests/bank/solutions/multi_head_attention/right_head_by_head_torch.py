"""Loops over the heads, sums their contributions to the output, float64 inside and cast back."""
import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("bad heads")
    kind = q.dtype
    q, k, v, w_q, w_k, w_v, w_o = (a.double() for a in (q, k, v, w_q, w_k, w_v, w_o))
    seen = torch.ones(1, 1, L, S, dtype=torch.bool) if mask is None else mask
    seen = seen.expand(B, num_heads, L, S)
    out = 0
    for h, (a, b, c, o) in enumerate(zip(*(w.chunk(num_heads, 1) for w in (w_q, w_k, w_v)), w_o.chunk(num_heads, 0))):
        s = (q @ a) @ (k @ b).transpose(1, 2) * (E / num_heads) ** -0.5
        m = seen[:, h]
        s = s.masked_fill(~m, -1e300)
        e = torch.exp(s - s.amax(-1, keepdim=True).detach()) * m
        w = e / e.sum(-1, keepdim=True).clamp_min(1e-300)
        out = out + w @ (v @ c) @ o
    return out.to(kind)
