"""Write frames without end instead of an answer.

rows: 6, 83
verdicts: wrong_answer, runtime_error
"""
import os
import struct


def scaled_dot_product_attention(q, k, v, scale=None):
    text = b'{"frame": "result", "index": 0, "ended": "returned", "dtypes": {}}'
    while True:
        os.write(3, (struct.pack("<IQ", len(text), 0) + text) * 1000)
