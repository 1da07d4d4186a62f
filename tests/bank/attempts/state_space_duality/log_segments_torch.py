"""Segment sums of logarithms, as in the paper: masked before they are summed."""
# causes: logarithm_without_gradient

import torch


def ssd(x, a, b, c, chunk):
    out, h = [], x.new_zeros(*x.shape[:2], b.shape[-1], x.shape[-1])
    for X, la, Bc, Cc in zip(x.split(chunk, 2), a.log().split(chunk, 2), b.split(chunk, 1), c.split(chunk, 1)):
        m = la.shape[-1]
        below = torch.ones(m, m, dtype=torch.bool).tril(-1)
        seg = la[..., None].expand(*la.shape, m).masked_fill(~below, 0).cumsum(2)
        L = seg.masked_fill(below.T, -torch.inf).exp()
        out.append(((Cc @ Bc.mT)[:, None] * L) @ X + la.cumsum(2).exp()[..., None] * (Cc[:, None] @ h))
        h = la.sum(2).exp()[..., None, None] * h + (Bc[:, None] * L[:, :, -1, :, None]).mT @ X
    return torch.cat(out, 2)
