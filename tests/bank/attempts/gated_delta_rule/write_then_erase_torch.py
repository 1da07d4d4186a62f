"""Write the token, then take out what is too much."""
# causes: erased_after_writing

import torch


def delta_rule(q, k, v, beta) -> torch.Tensor:
    B, H, n, D = q.shape
    M = torch.zeros(B, H, D, v.size(-1), dtype=v.dtype)
    out = []
    for i in range(n):
        key, gate = k[:, :, i, :, None], beta[:, :, i, None, None]
        M = M + gate * key * v[:, :, i, None, :]
        M = M - gate * key * (key * M).sum(2, keepdim=True)
        out.append((q[:, :, i, :, None] * M).sum(2))
    return torch.stack(out, dim=2)
