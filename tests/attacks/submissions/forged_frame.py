"""Write a result frame to the data channel before the real one is due, and wait.

rows: 5, 6
verdicts: wrong_answer
limits: wall_s=0.5
"""
import json
import os
import struct


def scaled_dot_product_attention(q, k, v, scale=None):
    text = json.dumps({"frame": "result", "verdict": "accepted", "ended": "returned", "index": 0, "dtypes": {}, "score": 100}).encode()
    os.write(3, struct.pack("<IQ", len(text), 0) + text)
    os.read(3, 10)
    os.read(3, 1 << 20)
    while True:
        os.read(3, 1 << 20)
