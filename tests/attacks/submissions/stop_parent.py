"""Stop the parent and oneself, then wait for ever.

rows: 16, 69
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import os
import signal
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    for target in (os.getppid(), os.getpid(), 1, -1):
        for send in (os.kill, os.killpg):
            try:
                send(target, signal.SIGSTOP)
                print("BREACH stopped", target)
            except OSError:
                continue
    time.sleep(3600)
