"""A network of modules, its state dict and its hooks."""

import torch
from torch import nn


def work():
    net = nn.Sequential(
        nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Dropout(0.5), nn.Linear(8, 2)
    ).eval()
    seen = []
    net[0].register_forward_hook(lambda m, i, o: seen.append(o.shape))
    twin = nn.Sequential(
        nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Dropout(0.5), nn.Linear(8, 2)
    ).eval()
    twin.load_state_dict(net.state_dict())
    x = torch.randn(3, 4)
    return torch.equal(net(x), twin(x)) and seen == [torch.Size([3, 8])]
