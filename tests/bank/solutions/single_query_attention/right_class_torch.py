"""A frozen dataclass that is called, or a named tuple that is returned."""

import torch, math
from typing import NamedTuple


class Found(NamedTuple):
    output: torch.Tensor
    weights: torch.Tensor


def attention(query, keys, values) -> Found:
    w = torch.exp(torch.log_softmax(torch.mv(keys, query) / math.sqrt(query.numel()), 0))
    return Found(w @ values, w)
