"""Lift the recursion limit and recurse through C until the stack ends.

rows: 86, 87
verdicts: runtime_error
"""
import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr(self)


def scaled_dot_product_attention(q, k, v, scale=None):
    return repr(Deep())
