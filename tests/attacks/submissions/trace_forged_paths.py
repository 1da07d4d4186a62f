"""Forge a trace whose steps all read the twelve before them: there are more paths than can be walked.

rows: 76
verdicts: wrong_answer
"""
import sys

import numpy as np

STEPS = 390
child = sys.modules["grader.inside.child"]
send = child.send


def step(number):
    return {
        "kind": "expression",
        "name": "x]" if number % 2 else "x",
        "line": 1,
        "function": "",
        "depth": 0,
        "dtype": "list",
        "shape": None,
        "reads": list(range(max(0, number - 12), number)),
        "count": 1,
    }


def forged(meta, tensors):
    if meta.get("frame") == "trace":
        steps = [step(i) for i in range(STEPS)]
        steps[-1]["shape"] = [3]
        meta = {"frame": "trace", "cut": [], "steps": steps}
        tensors = {str(STEPS - 1): np.array([1.5, 77.0, -3.25], np.float32)}
    send(meta, tensors)


child.send = forged


def scaled_dot_product_attention(q, k, v, scale=None):
    return None
