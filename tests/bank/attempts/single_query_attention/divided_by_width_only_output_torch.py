"""Divide by the width, and hand back what the query takes home."""
# causes: divided_by_d, other: only the output is returned

import torch
import torch.nn.functional as F


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = torch.mv(keys, query) / query.numel()
    weights = F.softmax(scores, dim=0)
    return weights @ values
