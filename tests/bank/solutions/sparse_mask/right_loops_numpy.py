"""Right: one question for each pair."""
import numpy as np


def sparse_mask(n, stride):
    landmarks = set(range(0, n, stride))
    return np.array([[abs(i - j) <= stride or i in landmarks or j in landmarks for j in range(n)] for i in range(n)])
