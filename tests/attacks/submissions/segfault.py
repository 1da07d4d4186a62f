"""Read address 0.

rows: 86
verdicts: runtime_error
"""
import ctypes


def scaled_dot_product_attention(q, k, v, scale=None):
    return ctypes.string_at(0)
