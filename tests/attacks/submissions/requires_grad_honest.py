"""Return tensors that require grad, conjugate views and lazy negations: honest answers in a wrapping.

rows: 56
verdicts: accepted
framework: torch
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    out = w @ v
    negated = torch._neg_view(-out)
    return (negated if not out.requires_grad else out), (w if w.requires_grad else torch.nn.Parameter(w))
