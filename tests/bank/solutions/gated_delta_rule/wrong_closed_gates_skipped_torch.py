# a token whose gates are all 0 is skipped, so its gate gets no gradient
import torch


def delta_rule(q, k, v, beta):
    batch, heads, n, width = k.shape
    memory = v.new_zeros(batch, heads, width, v.shape[-1])
    rows = []
    for i in range(n):
        gate = beta[:, :, i].unsqueeze(-1)
        if gate.any():
            key = k[:, :, i].unsqueeze(-1)
            held = (key * memory).sum(dim=-2)
            change = gate * (v[:, :, i] - held)
            memory = memory + key * change.unsqueeze(-2)
        rows.append((q[:, :, i].unsqueeze(-1) * memory).sum(dim=-2))
    return torch.stack(rows, dim=2)
