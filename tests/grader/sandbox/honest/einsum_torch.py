"""Products with einsum, and batched ones."""

import torch


def work():
    a, b = torch.randn(2, 3, 4, 5), torch.randn(2, 3, 5, 4)
    return torch.allclose(torch.einsum("bhij,bhjk->bhik", a, b), a @ b, atol=1e-5) and torch.bmm(
        a[0], b[0]
    ).shape == (
        3,
        4,
        4,
    )
