"""Announce a frame of 2**40 bytes.

rows: 57, 58
verdicts: output_limit_exceeded
"""
import os
import struct
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    os.write(3, struct.pack("<IQ", 2, 1 << 40) + b"{}")
    time.sleep(60)
