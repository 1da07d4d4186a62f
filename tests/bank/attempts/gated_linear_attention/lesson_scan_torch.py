"""A prefix sum with factors, by doubling the distance."""
# causes: none

import torch


def gated_linear_attention(q, k, v, gates, chunk: int) -> torch.Tensor:
    state = k.unsqueeze(-1) * v.unsqueeze(-2)
    factor = gates.unsqueeze(-1)
    shift = 1
    while shift < q.size(2):
        state = torch.cat([state[:, :, :shift], state[:, :, shift:] + factor[:, :, shift:] * state[:, :, :-shift]], 2)
        factor = torch.cat([factor[:, :, :shift], factor[:, :, shift:] * factor[:, :, :-shift]], 2)
        shift *= 2
    return (q.unsqueeze(-1) * state).sum(-2)
