"""A column of ones beside the values: numerator and denominator in one product."""
import torch
import torch.nn.functional as F


def linear_attention(q, k, v):
    summary = torch.baddbmm(v.new_zeros(1), (F.elu(k) + 1).mT, F.pad(v, (0, 1), value=1.0))
    both = torch.bmm(F.elu(q) + 1, summary)
    numerator, denominator = both.split([v.shape[-1], 1], dim=-1)
    return numerator.div(denominator)
