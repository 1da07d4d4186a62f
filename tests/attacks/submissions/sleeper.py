"""Sleep for ever and use no CPU.

rows: 69
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        time.sleep(1000)
