"""Deep but legal recursion: through C, as far as every Python goes, and through Python alone."""

import functools
import sys

sys.setrecursionlimit(6000)


@functools.cache
def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


def depth(n):
    return 1 if n < 2 else 1 + depth(n - 1)


def work():
    return ways(450) > 10**90 and depth(5000) == 5000
