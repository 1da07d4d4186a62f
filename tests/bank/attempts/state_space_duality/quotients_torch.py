"""One running product in each chunk; what lies between two tokens is a quotient."""
# causes: quotient_of_products

import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    h, out = x.new_zeros(B, H, b.shape[-1], Dv), []
    for s in range(0, n, chunk):
        e = min(s + chunk, n)
        p = torch.cumprod(a[:, :, s:e], -1).unsqueeze(-1)
        X, Bc, Cc = x[:, :, s:e], b[:, None, s:e], c[:, None, s:e]
        inner = (Cc @ Bc.mT).tril() @ (X / p) * p
        out.append(inner + p * (Cc @ h))
        h = p[:, :, -1:] * (h + Bc.mT @ (X / p))
    return torch.cat(out, 2)
