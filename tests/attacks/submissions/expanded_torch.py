"""Return a tensor of 2**40 elements that takes no memory here.

rows: 57
verdicts: memory_limit_exceeded, output_limit_exceeded, runtime_error
framework: torch
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    return q.new_zeros(1).expand(1 << 40), q
