"""Wait on locks, on select and on the print pipe, in turn.

rows: 69, 82, 83
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import select
import threading

calls = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global calls
    calls += 1
    lock = threading.Lock()
    lock.acquire()
    if calls == 1:
        lock.acquire()
    select.select([], [], [])
    select.poll().poll()
