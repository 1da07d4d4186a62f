"""Read, then fade and write, one token at a time."""
# causes: token_by_token, itself_left_out|decay_one_step_late

import torch


def ssd(x, a, b, c, chunk) -> torch.Tensor:
    B, H, n, Dv = x.shape
    h = torch.zeros(B, H, b.size(-1), Dv, dtype=x.dtype)
    rows = []
    for t in range(n):
        h = a[:, :, t, None, None] * h
        rows.append(torch.einsum("bd,bhdv->bhv", c[:, t], h))
        h = h + torch.einsum("bd,bhv->bhdv", b[:, t], x[:, :, t])
    return torch.stack(rows, dim=2)
