"""The gradient goes back to the last multiple of 64 words only."""
import torch


def delta_rule(q, k, v, beta):
    memory = torch.zeros(*k.shape[:2], k.shape[-1], v.shape[-1], dtype=v.dtype)
    rows = []
    for t in range(k.shape[2]):
        if t % 64 == 0:
            memory = memory.detach()
        kt, vt, bt = k[:, :, t], v[:, :, t], beta[:, :, t, None]
        change = bt * (vt - torch.einsum("bhd,bhde->bhe", kt, memory))
        memory = memory + torch.einsum("bhd,bhe->bhde", kt, change)
        rows.append(torch.einsum("bhd,bhde->bhe", q[:, :, t], memory))
    return torch.stack(rows, dim=2)
