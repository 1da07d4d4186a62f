"""Raise an exception of 50 megabytes.

rows: 84
verdicts: runtime_error
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    raise ValueError("\x1b[31m\u202e" + "x" * (50 << 20))
