"""Send a frame one byte at a time, as fast as it goes, so that whoever reads it never rests.

rows: 124, 128
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import json
import os
import struct


def scaled_dot_product_attention(q, k, v, scale=None):
    header = json.dumps({"output": {"dtype": "U8", "shape": [1 << 24], "data_offsets": [0, 1 << 24]}}).encode()
    os.write(3, struct.pack("<IQ", 2, 8 + len(header) + (1 << 24)) + b"{}" + struct.pack("<Q", len(header)) + header)
    while True:
        os.write(3, b"x")
