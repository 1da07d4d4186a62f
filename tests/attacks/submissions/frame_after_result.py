"""Send a second, forged frame for the next case together with an honest answer.

rows: 5, 6
verdicts: wrong_answer
"""
import json
import os
import struct
import sys

import numpy as np

send = sys.modules["grader.inside.child"].send


def twice(meta, tensors):
    send(meta, tensors)
    if meta.get("frame") == "result":
        text = json.dumps({**meta, "index": meta["index"] + 1}).encode()
        os.write(3, struct.pack("<IQ", len(text), 0) + text)


sys.modules["grader.inside.child"].send = twice


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
