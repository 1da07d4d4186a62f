"""Take memory through PyTorch's allocator.

rows: 76
verdicts: memory_limit_exceeded
framework: torch
limits: memory_mib=64
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    hoard = []
    while True:
        hoard.append(torch.ones(1 << 18))
