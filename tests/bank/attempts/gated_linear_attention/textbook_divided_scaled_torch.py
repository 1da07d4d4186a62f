"""Queries scaled and times the product so far, keys divided by it."""
# causes: divided_by_products, scaled

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    q = q * q.shape[-1] ** -0.5
    S, out = 0, []
    for Q, K, V, G in zip(*(x.split(chunk, 2) for x in (q, k, v, gates))):
        A = G.cumprod(2)
        P = ((Q * A) @ (K / A).transpose(-1, -2)).tril()
        o = P @ V
        if len(out):
            o = o + (Q * A) @ S
        S = A[:, :, -1].unsqueeze(-1) * S + (K * (A[:, :, -1:] / A)).transpose(-1, -2) @ V
        out.append(o)
    return torch.cat(out, 2)
