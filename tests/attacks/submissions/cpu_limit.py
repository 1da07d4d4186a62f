"""Compute past the CPU limit, deaf to SIGXCPU.

rows: 88, 70
verdicts: time_limit_exceeded
limits: wall_s=20, cpu_s=0.5
"""
import signal

signal.signal(signal.SIGXCPU, lambda *a: None)


def scaled_dot_product_attention(q, k, v, scale=None):
    while q.shape[-2] == 5:
        sum(range(10_000))
    return q, k
