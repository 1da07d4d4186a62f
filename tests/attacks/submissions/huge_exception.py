"""Raise an exception of 50 megabytes.

rows: 84
verdicts: runtime_error
"""
TEXT = "\x1b[31m\u202e" + "x" * (50 << 20)


def scaled_dot_product_attention(q, k, v, scale=None):
    raise ValueError(TEXT)
