"""Print one character now and then, to keep whoever reads busy for ever.

rows: 82
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import sys
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        sys.stdout.write(".")
        sys.stdout.flush()
        time.sleep(0.01)
