"""Sleep while loading and in the call, then end the process, so that a new one starts the same again.

rows: 69, 128
verdicts: time_limit_exceeded, runtime_error
limits: wall_s=10, total_s=1.0
"""
import os
import time

time.sleep(0.3)


def scaled_dot_product_attention(q, k, v, scale=None):
    time.sleep(0.3)
    os._exit(1)
