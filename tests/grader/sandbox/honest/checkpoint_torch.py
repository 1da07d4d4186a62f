"""Recomputation instead of memory, data loaders without workers, profiles of time."""

import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset


def work():
    x = torch.randn(4, 4, requires_grad=True)
    checkpoint(torch.sin, x, use_reentrant=False).sum().backward()
    batches = list(DataLoader(TensorDataset(torch.arange(6.0)), batch_size=2, shuffle=True))
    return torch.allclose(x.grad, torch.cos(x), atol=1e-6) and len(batches) == 3
