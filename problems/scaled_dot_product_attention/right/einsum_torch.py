# einsum names the axes, so nothing is transposed: l queries, s keys, widths d and v.
import math

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = torch.einsum("...ld,...sd->...ls", q, k) * scale
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("...ls,...sv->...lv", weights, v), weights
