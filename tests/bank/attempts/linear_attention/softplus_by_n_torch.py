"""Softplus is smooth and positive; a mean over the keys."""
# causes: softplus_features, divided_by_n

import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    a, b = F.softplus(q), F.softplus(k)
    summary = b.transpose(1, 2).bmm(v)
    return a.bmm(summary) / (q.shape[1])
