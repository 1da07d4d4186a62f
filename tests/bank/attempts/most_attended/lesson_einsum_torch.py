"""Einsum, a stable argsort, and gather."""
# causes: none

import torch


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    if x.dtype == torch.int64:
        x = x.to(torch.get_default_dtype())
    scores = torch.einsum("id,jd->ij", x, x) * x.shape[1] ** -0.5
    weights = torch.softmax(scores, dim=-1)
    indices = torch.argsort(weights, dim=-1, descending=True, stable=True)[:, :k]
    return indices, torch.gather(weights, 1, indices)
