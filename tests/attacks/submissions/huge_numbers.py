"""Compute a number with a billion digits.

rows: 87
verdicts: time_limit_exceeded, memory_limit_exceeded
limits: wall_s=1, memory_mib=128
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    n = 9
    return n**n**n
