"""Right. Plain Python rows: a set of landmarks, and for each query a list of booleans; the array is made at the very end."""
import numpy as np


def sparse_mask(n, stride):
    landmarks = set(range(0, n, stride))
    rows = []
    for i in range(n):
        if i in landmarks:
            rows.append([True] * n)
        else:
            rows.append([j in landmarks or i - stride <= j <= i + stride for j in range(n)])
    return np.array(rows, dtype=bool).reshape(n, n)
