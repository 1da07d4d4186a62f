"""Sparse and complex tensors on the way to plain ones."""

import torch


def work():
    dense = torch.eye(5)
    turned = torch.view_as_complex(torch.randn(4, 2)) * torch.exp(1j * torch.tensor(0.5))
    return torch.equal(
        (dense.to_sparse() @ dense).to_dense()
        if (dense.to_sparse() @ dense).is_sparse
        else dense.to_sparse() @ dense,
        dense,
    ) and turned.abs().shape == (4,)
