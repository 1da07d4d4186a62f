"""Raise an exception with a chain of 100,000 causes, whose representation never ends.

rows: 84
verdicts: runtime_error, time_limit_exceeded
limits: wall_s=0.5
"""


class Endless(Exception):
    def __str__(self):
        while True:
            pass


def scaled_dot_product_attention(q, k, v, scale=None):
    error = None
    for _ in range(100_000):
        fresh = ValueError()
        fresh.__cause__ = error
        error = fresh
    raise Endless from error
