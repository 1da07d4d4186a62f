"""With few tokens and wide keys the sum runs over the queries."""

import torch
import torch.nn.functional as F


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Attention whose cost grows with n, not with n squared."""
    n, width = q.shape[1], q.shape[2]
    fq = F.elu(q) + 1
    fk = F.elu(k) + 1
    if 4 * n < width:
        # fewer numbers in the n x n table than in the summary
        likeness = fq @ fk.transpose(1, 2)
        return (likeness / likeness.sum(dim=1, keepdim=True)) @ v
    summary = fk.transpose(1, 2) @ v
    total = fk.sum(dim=1).unsqueeze(-1)
    return (fq @ summary) / (fq @ total)
