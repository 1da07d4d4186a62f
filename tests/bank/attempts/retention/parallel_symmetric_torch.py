"""The distance between two tokens, as a power."""
# causes: masked_matrix|token_by_token, not_causal

import torch


def retention(q, k, v, decay) -> torch.Tensor:
    n = q.size(2)
    pos = torch.arange(n, dtype=q.dtype)
    D = decay.view(-1, 1, 1) ** (pos[:, None] - pos).abs()
    return (q @ k.transpose(2, 3) * D) @ v
