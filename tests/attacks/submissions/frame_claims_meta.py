"""Announce a frame whose meta is 4 GiB.

rows: 57, 58
verdicts: output_limit_exceeded
"""
import os
import struct
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    os.write(3, struct.pack("<IQ", 0xFFFFFFFF, 0) + b"{")
    time.sleep(60)
