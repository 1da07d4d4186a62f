"""Return a leaf whose name obeys in a terminal, is markup, and cannot be stored.

rows: 113
verdicts: wrong_answer
problem: training_step
"""
import sys

import numpy as np

NAME = "trained.\x1b[31mRED\x00\u202e<script>\ud800"
child = sys.modules["grader.inside.child"]
send = child.send


def named(meta, tensors):
    if meta.get("frame") == "result" and "dtypes" in meta:
        meta = {**meta, "dtypes": {**meta["dtypes"], NAME: "float32"}}
    send(meta, tensors)


child.send = named


def train_step(weights, tokens, learning_rate):
    return {name: np.array(w) for name, w in weights.items()}, np.float32(0)
