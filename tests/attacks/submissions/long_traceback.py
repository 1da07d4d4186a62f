"""Raise at the bottom of 30,000 frames.

rows: 84
verdicts: runtime_error
"""
import sys

sys.setrecursionlimit(10**6)


def down(n):
    if n == 0:
        raise ValueError("at the bottom")
    down(n - 1)


calls = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global calls
    calls += 1
    down(30_000 if calls <= 3 else 100)  # in the samples and a hidden case
