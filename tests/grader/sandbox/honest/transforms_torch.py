"""vmap, jacobians and functional calls."""

import torch
from torch.func import functional_call, grad, jacrev, vmap


def work():
    square = vmap(grad(lambda x: (x**2).sum()))(torch.arange(3.0).unsqueeze(1))
    net = torch.nn.Linear(2, 2)
    out = functional_call(net, dict(net.named_parameters()), torch.ones(1, 2))
    return (
        square.flatten().tolist() == [0.0, 2.0, 4.0]
        and jacrev(torch.sin)(torch.zeros(2)).diagonal().tolist() == [1.0, 1.0]
        and out.shape == (1, 2)
    )
