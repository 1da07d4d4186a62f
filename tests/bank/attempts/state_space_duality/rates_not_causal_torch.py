"""exp(-a) as the factor of a step, and a table that is not cut off above its diagonal."""
# causes: decay_as_a_rate, chunk_sees_its_future

import torch


def ssd(x, a, b, c, chunk):
    a = (-a).exp()
    state, rows = x.new_zeros(*x.shape[:2], b.shape[-1], x.shape[-1]), []
    for s in range(0, x.shape[2], chunk):
        X, A = x[:, :, s : s + chunk], a[:, :, s : s + chunk]
        Bc, Cc = b[:, None, s : s + chunk], c[:, None, s : s + chunk]
        i = torch.arange(A.shape[-1])
        L = torch.where(i[:, None] > i, A[..., None], 1.0).cumprod(-2)
        rows.append((Cc @ Bc.mT * L) @ X + A.cumprod(-1)[..., None] * (Cc @ state))
        state = A.prod(-1)[..., None, None] * state + (Bc * L[..., -1, :, None]).mT @ X
    return torch.cat(rows, dim=2)
