"""Read the data socket for the next case instead of answering this one, as a reader that deadlocks.

rows: 61, 83
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import os


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        found = os.read(3, 1 << 20)
        print("FOUND the next case" if found else "the judge has gone")
