"""Send tensors without entries whose other axes are enormous, in a frame of one's own.

rows: 58, 125
verdicts: wrong_answer
"""
import json
import os
import struct
import time

SHAPES = [[10**18, 0], [2 * 10**8, 0], [0, 10**30], [1] * 60 + [0]]
asked = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global asked
    header = json.dumps({"output": {"dtype": "F32", "shape": SHAPES[asked % 4], "data_offsets": [0, 0]}}).encode()
    text = json.dumps({"frame": "result", "index": asked, "ended": "returned", "dtypes": {"output": "float32"}}).encode()
    asked += 1
    os.write(3, struct.pack("<IQ", len(text), 8 + len(header)) + text + struct.pack("<Q", len(header)) + header)
    time.sleep(60)
