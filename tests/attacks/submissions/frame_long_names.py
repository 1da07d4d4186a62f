"""Send tensors whose names fill the header, then one whose name fills the result's description.

rows: 124, 131
verdicts: wrong_answer, output_limit_exceeded
"""
import json
import os
import struct
import time

asked = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global asked
    asked += 1
    name = "n" * (60_000 if asked % 2 else 1 << 25)
    header = json.dumps({name: {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}).encode()
    text = json.dumps({"frame": "result", "index": asked - 1, "ended": "returned", "dtypes": {name[:30_000]: name[:30_000]}}).encode()
    frame = struct.pack("<IQ", len(text), 8 + len(header)) + text + struct.pack("<Q", len(header)) + header
    for at in range(0, len(frame), 1 << 16):
        os.write(3, frame[at : at + (1 << 16)])
    time.sleep(60)
