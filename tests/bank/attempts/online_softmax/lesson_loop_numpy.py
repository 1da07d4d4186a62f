"""One score at a time, with plain floats."""
# causes: none

import math

import numpy as np


def online_softmax(blocks):
    m, l = -math.inf, 0.0
    for x in blocks:
        for s in x.tolist():
            if s == -math.inf:
                continue
            if s > m:
                l = l * math.exp(m - s) + 1.0
                m = s
            else:
                l += math.exp(s - m)
    out = [math.exp(s - m) / l if l > 0 else 0.0 for x in blocks for s in x.tolist()]
    return np.array(out, dtype=blocks[0].dtype)
