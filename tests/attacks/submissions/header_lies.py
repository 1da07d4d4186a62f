"""Send tensors whose shape, offsets and bytes do not fit together.

rows: 58
verdicts: wrong_answer
"""
import json
import os
import struct
import time

LIES = [
    {"output": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 4]}},
    {"output": {"dtype": "F32", "shape": [-1, 3], "data_offsets": [0, 4]}},
    {"output": {"dtype": "F32", "shape": [1 << 62, 1 << 62], "data_offsets": [0, 4]}},
    {"output": {"dtype": "F32", "shape": [1.0], "data_offsets": [0, 4]}},
    {"output": {"dtype": "O", "shape": [1], "data_offsets": [0, 4]}},
    {"output": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}},
    {"output": {"dtype": "F32", "shape": [1], "data_offsets": [0, 1 << 40]}},
    {"output": {"dtype": "F32", "shape": [0] * 100, "data_offsets": [0, 0]}},
]
asked = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global asked
    header = json.dumps(LIES[asked % len(LIES)]).encode()
    asked += 1
    blob = struct.pack("<Q", len(header)) + header + bytes(4)
    text = b'{"frame":"result","index":0,"ended":"returned","dtypes":{"output":"float32"}}'
    os.write(3, struct.pack("<IQ", len(text), len(blob)) + text + blob)
    time.sleep(60)
