"""The decay matrix times the scores."""
# causes: masked_matrix|token_by_token

import torch


def retention(q, k, v, decay) -> torch.Tensor:
    n = q.size(2)
    pos = torch.arange(n, dtype=q.dtype)
    D = torch.tril(decay.view(-1, 1, 1) ** (pos[:, None] - pos).clamp(min=0))
    return (q @ k.transpose(2, 3) * D) @ v
