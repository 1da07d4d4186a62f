"""A clamp keeps the gradient from a decay of 0."""
import torch


def ssd(x, a, b, c, chunk):
    B, H, n, P = x.shape
    C = min(chunk, n, 64)
    la = a.double().clamp_min(1e-60).log()
    h = x.new_zeros(B, H, b.shape[-1], P)
    out = []
    for s in range(0, n, C):
        xc, lc, bc, cc = x[:, :, s:s + C], la[:, :, s:s + C], b[:, None, s:s + C], c[:, None, s:s + C]
        m = xc.shape[2]
        strict = torch.ones(m, m, dtype=torch.bool).tril(-1)
        L = torch.where(strict, lc[..., None], torch.zeros((), dtype=torch.double)).cumsum(-2).exp().tril().to(x.dtype)
        cum = lc.cumsum(-1).exp().to(x.dtype)
        out.append((cc @ bc.mT * L) @ xc + cum[..., None] * (cc @ h))
        h = cum[..., -1, None, None] * h + (bc * L[..., -1, :, None]).mT @ xc
    return torch.cat(out, 2)
