"""A loop over the heads."""
# causes: none

import torch


def attention_with_sinks(q, k, v, sinks):
    outs = []
    for h in range(q.shape[1]):
        s = q[:, h] @ k[:, h].transpose(1, 2) / q.shape[-1] ** 0.5
        column = sinks[h].expand(*s.shape[:-1], 1)
        w = torch.softmax(torch.cat([column, s], dim=-1), dim=-1)[..., 1:]
        outs.append(w @ v[:, h])
    return torch.stack(outs, dim=1)
