"""A prefix sum with a factor, by doubling the distance."""
# causes: none

import torch


def retention(q, k, v, decay) -> torch.Tensor:
    state = k.unsqueeze(-1) * v.unsqueeze(-2)
    factor = decay.view(-1, 1, 1, 1)
    shift = 1
    while shift < q.size(2):
        moved = torch.cat([torch.zeros_like(state[:, :, :shift]), state[:, :, :-shift]], dim=2)
        state = state + factor * moved
        factor = factor**2
        shift *= 2
    return (q.unsqueeze(-1) * state).sum(dim=-2)
