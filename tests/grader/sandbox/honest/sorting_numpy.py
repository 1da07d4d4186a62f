"""Heaps, bisection, sorting with keys."""

import bisect
import heapq
import operator

import numpy as np


def work():
    pairs = sorted([("b", 1), ("a", 2)], key=operator.itemgetter(0))
    return (
        pairs[0][1] == 2
        and heapq.nlargest(2, [3, 1, 2]) == [3, 2]
        and bisect.bisect([1, 2, 3], 2) == 2
        and np.argsort(np.array([3, 1, 2]), kind="stable").tolist() == [1, 2, 0]
    )
