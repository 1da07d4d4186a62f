# The exponentials meet the values first; each output row is divided once, at the end.
import math

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ k.mT * scale
    exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    total = exponentials.sum(dim=-1, keepdim=True)  # (..., L, 1)
    return exponentials @ v / total, exponentials / total
