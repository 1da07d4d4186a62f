"""Right: plain Python floats and loops with math.fsum and math.exp, so all sums are in double; arrays of the input's dtype at the end."""
import math

import numpy as np


def _product(a, b):
    columns = list(zip(*b))
    return [[math.fsum(s * t for s, t in zip(row, column)) for column in columns] for row in a]


def attention_steps(x, w_q, w_k, w_v):
    rows = x.tolist()
    q, k, v = (_product(rows, w.tolist()) for w in (w_q, w_k, w_v))
    scores = [[math.fsum(s * t for s, t in zip(a, b)) for b in k] for a in q]
    root = math.sqrt(len(q[0]))
    scaled = [[s / root for s in row] for row in scores]
    weights = []
    for row in scaled:
        top = max(row)
        powers = [math.exp(s - top) for s in row]
        total = math.fsum(powers)
        weights.append([p / total for p in powers])
    output = _product(weights, v)
    return tuple(np.array(each, dtype=x.dtype) for each in (scores, scaled, weights, output))
