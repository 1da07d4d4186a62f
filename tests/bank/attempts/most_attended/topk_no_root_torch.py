"""topk of the softmax of the products."""
# causes: top_k_of_the_framework, no_scale

import torch


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = x.float() if not x.is_floating_point() else x
    weights = torch.softmax(x @ x.T, dim=-1)
    values, indices = weights.topk(k)
    return indices, values
