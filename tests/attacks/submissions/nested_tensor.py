"""Return nested tensors.

rows: 56
verdicts: wrong_answer, runtime_error
framework: torch
"""
import warnings

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    warnings.simplefilter("ignore")
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    nested = torch.nested.nested_tensor([w.detach(), w.detach()])
    return nested, nested
