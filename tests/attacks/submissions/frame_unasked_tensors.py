"""Answer rightly in a frame of one's own, with 60 MiB of tensors beside the answer that nobody asked for.

rows: 124
verdicts: wrong_answer
"""
import json
import os
import struct
import time

import numpy as np

LARGE = 60 << 20


def scaled_dot_product_attention(q, k, v, scale=None):
    scores = q @ np.swapaxes(k, -2, -1) * np.float32(scale if scale is not None else 1 / np.sqrt(q.shape[-1]))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    rows, data = {}, b""
    for name, tensor in {"output": weights @ v, "weights": weights}.items():
        begin, data = len(data), data + np.ascontiguousarray(tensor, np.float32).tobytes()
        rows[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [begin, len(data)]}
    rows["mine"] = {"dtype": "U8", "shape": [LARGE], "data_offsets": [len(data), len(data) + LARGE]}
    header = json.dumps(rows).encode()
    text = json.dumps({"frame": "result", "index": 0, "ended": "returned", "dtypes": dict.fromkeys(rows, "float32")}).encode()
    os.write(3, struct.pack("<IQ", len(text), 8 + len(header) + len(data) + LARGE) + text + struct.pack("<Q", len(header)) + header + data)
    for _ in range(LARGE >> 16):
        os.write(3, bytes(1 << 16))
    time.sleep(60)
