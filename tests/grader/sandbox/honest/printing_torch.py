"""Tensors, modules and warnings printed."""

import warnings

import torch


def work():
    print(torch.randn(20, 20), torch.nn.Linear(2, 2), torch.finfo(torch.float32))
    warnings.warn("one warning", UserWarning, stacklevel=1)
    torch.set_printoptions(precision=2)
    return "tensor" in repr(torch.ones(2, requires_grad=True))
