"""Ask for four times the limit in one piece.

rows: 76
verdicts: memory_limit_exceeded
limits: memory_mib=64
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    return np.ones(64 << 20), np.ones(3)
