"""Send a frame whose meta is JSON nested so deep that a recursive parser overflows.

rows: 58
verdicts: wrong_answer
"""
import os
import struct
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    text = b'{"frame":' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    os.write(3, struct.pack("<IQ", len(text), 0) + text)
    time.sleep(60)
