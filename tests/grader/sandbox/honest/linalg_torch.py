"""Solve and factorise."""

import torch


def work():
    torch.manual_seed(0)
    a = torch.randn(40, 40, dtype=torch.float64)
    q, r = torch.linalg.qr(a)
    u, s, vh = torch.linalg.svd(a)
    return (
        torch.allclose(q @ r, a)
        and torch.allclose(u @ torch.diag(s) @ vh, a)
        and torch.allclose(torch.linalg.solve(a, a), torch.eye(40, dtype=torch.float64))
    )
