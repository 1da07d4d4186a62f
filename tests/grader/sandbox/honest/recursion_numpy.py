"""Deep but legal recursion."""

import functools
import sys

sys.setrecursionlimit(6000)


@functools.cache
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


def work():
    return ways(1500) > 10**300
