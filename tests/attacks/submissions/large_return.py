"""Return 100 MiB: less than the memory limit, more than the output limit.

rows: 57
verdicts: output_limit_exceeded
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    return np.zeros(25 << 20, np.float32), np.zeros(3, np.float32)
