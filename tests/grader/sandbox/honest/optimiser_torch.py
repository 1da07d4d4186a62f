"""A few steps of training."""

import torch
from torch import nn


def work():
    torch.manual_seed(0)
    net, x = nn.Linear(3, 1), torch.randn(64, 3)
    y = x @ torch.tensor([[1.0], [-2.0], [0.5]])
    optimiser = torch.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(60):
        optimiser.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
    return loss.item() < 1.0
