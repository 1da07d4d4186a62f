"""Match an expression that backtracks for ages, deaf to signals.

rows: 87
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import re


def scaled_dot_product_attention(q, k, v, scale=None):
    return re.match(r"(a+)+$", "a" * 60 + "b")
