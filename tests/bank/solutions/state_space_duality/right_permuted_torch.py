"""Time first and one matrix product a chunk over texts and heads together; the state is (Dv, D)."""
import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    X = x.reshape(B * H, n, Dv)
    A = a.reshape(B * H, n)
    K, Q = (m.repeat_interleave(H, dim=0) for m in (b, c))
    S = torch.zeros(B * H, Dv, K.size(-1), dtype=x.dtype)
    pieces = []
    for i in range(0, n, chunk):
        u = A[:, i : i + chunk]
        m = u.size(1)
        t = torch.arange(m)
        M = torch.ones_like(u[:, :, None]).expand(-1, m, m)
        M = torch.where(t[:, None] > t, u[:, :, None], M)
        M = torch.cumprod(M, 1).masked_fill(t[:, None] < t, 0)
        g = torch.cumprod(u, 1)
        q, k, v = Q[:, i : i + chunk], K[:, i : i + chunk], X[:, i : i + chunk]
        pieces.append(torch.baddbmm((g[..., None] * q) @ S.mT, torch.bmm(q, k.mT) * M, v))
        S = g[:, -1, None, None] * S + (M[:, -1, :, None] * v).mT @ k
    return torch.cat(pieces, 1).reshape(B, H, n, Dv)
