"""Return tensors on the meta device, which have a shape and no numbers.

rows: 56
verdicts: wrong_answer
framework: torch
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    return q.new_empty(*q.shape[:-1], v.shape[-1], device="meta"), q.new_empty(*q.shape[:-1], k.shape[-2], device="meta")
