"""Divided by the sum of all features."""
# causes: normaliser_is_feature_sum

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    a, b = F.elu(q) + 1, F.elu(k) + 1
    summary = b.transpose(1, 2).bmm(v)
    return a.bmm(summary) / (b.sum(dim=(1, 2), keepdim=True))
