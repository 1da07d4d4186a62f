"""Block and ignore every signal, then loop.

rows: 88
verdicts: time_limit_exceeded
limits: wall_s=0.5
"""
import signal


def scaled_dot_product_attention(q, k, v, scale=None):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            continue
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
