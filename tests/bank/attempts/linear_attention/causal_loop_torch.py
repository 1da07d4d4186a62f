"""Running sums, as in an RNN."""
# causes: too_many_steps, causal

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv, z, out = 0, 0, []
    for i in range(q.size(1)):
        kv = kv + fk[:, i, :, None] * v[:, i, None, :]
        z = z + fk[:, i]
        out.append((fq[:, i, None] @ kv).squeeze(1) / (fq[:, i] * z).sum(-1, keepdim=True))
    return torch.stack(out, dim=1)
