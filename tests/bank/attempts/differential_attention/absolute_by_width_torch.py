"""Weights cannot be negative; divided by D."""
# causes: absolute_weights, divided_by_width

import math

import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    root = q1.shape[-1]
    one = (torch.einsum("bhld,bhsd->bhls", q1, k1) / root).softmax(dim=-1)
    two = (torch.einsum("bhld,bhsd->bhls", q2, k2) / root).softmax(dim=-1)
    w = one - lam.view(-1, 1, 1) * two
    return w.abs() @ v
