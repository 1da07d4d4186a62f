"""Start threads without end.

rows: 75
verdicts: runtime_error
"""
import threading
import time


def scaled_dot_product_attention(q, k, v, scale=None):
    while True:
        threading.Thread(target=time.sleep, args=(3600,)).start()
