"""Return bfloat16, which is widened on its way out, where float32 is asked.

rows: 52, 56
verdicts: wrong_answer
framework: torch
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return (w @ v).bfloat16(), w.bfloat16()
