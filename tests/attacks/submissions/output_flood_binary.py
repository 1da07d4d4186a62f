"""Write bytes without a newline to the standard error, as fast as the kernel takes them.

rows: 81
verdicts: output_limit_exceeded
"""
import os


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        os.write(2, bytes(range(256)) * 64)
