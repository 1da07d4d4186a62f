"""The gradient of b comes from head 0 alone."""
import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    state = x.new_zeros(B, H, b.shape[-1], Dv)
    parts = []
    for s in range(0, n, chunk):
        X, A = x[:, :, s : s + chunk], a[:, :, s : s + chunk]
        K, Q = torch.cat([b[:, None, s : s + chunk]] + [b[:, None, s : s + chunk].detach()] * (H - 1), 1), c[:, None, s : s + chunk]
        i = torch.arange(A.shape[-1])
        near = torch.where(i[:, None] > i, A[..., None], 1.0).cumprod(2).tril()
        since = A.cumprod(2)
        parts.append((Q @ K.mT * near) @ X + since[..., None] * (Q @ state))
        state = since[:, :, -1, None, None] * state + (K * near[:, :, -1, :, None]).mT @ X
    return torch.cat(parts, dim=2)
