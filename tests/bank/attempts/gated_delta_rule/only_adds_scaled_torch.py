"""Linear attention with a gate, scaled."""
# causes: never_erased, scaled

import torch


def delta_rule(q, k, v, beta) -> torch.Tensor:
    B, H, n, D = q.shape
    q = q / D**0.5
    M = torch.zeros(B, H, D, v.size(-1), dtype=v.dtype)
    out = []
    for i in range(n):
        key = k[:, :, i].unsqueeze(-1)
        delta = beta[:, :, i].unsqueeze(-1) * v[:, :, i]
        M = M + key @ delta.unsqueeze(2)
        out.append((q[:, :, i].unsqueeze(2) @ M).squeeze(2))
    return torch.stack(out, dim=2)
