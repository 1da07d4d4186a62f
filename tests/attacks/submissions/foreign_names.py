"""Bring back tensors under names that nobody asked for, with markup and control characters in them.

rows: 58, 114
verdicts: wrong_answer
"""
import sys

import numpy as np

send = sys.modules["grader.inside.child"].send


def more(meta, tensors):
    if meta.get("frame") == "result":
        names = ["<script>alert(1)</script>", "\x1b[2J", "../../etc/passwd", "expected", "\u202egnp.exe", "=cmd|' /C calc'!A0"]
        tensors = {name: np.ones(3, np.float32) for name in names}
        meta["dtypes"] = {name: "float32\x1b[31m<b>" for name in names}
    send(meta, tensors)


sys.modules["grader.inside.child"].send = more


def scaled_dot_product_attention(q, k, v, scale=None):
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    return np.zeros((*lead, q.shape[-2], v.shape[-1]), q.dtype), np.zeros((*lead, q.shape[-2], k.shape[-2]), q.dtype)
