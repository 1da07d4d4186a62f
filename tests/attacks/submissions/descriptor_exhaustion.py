"""Open files until no descriptor is left.

rows: 91
verdicts: runtime_error
"""
import os


def scaled_dot_product_attention(q, k, v, scale=None):
    held = []
    while True:
        held.append(os.open("/dev/null", os.O_RDONLY))
        if len(held) > 200:
            print("BREACH more than 200 descriptors")
