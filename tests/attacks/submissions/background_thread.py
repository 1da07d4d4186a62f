"""Start a thread that outlives the call.

rows: 64, 75
verdicts: runtime_error
"""
import threading


def scaled_dot_product_attention(q, k, v, scale=None):
    threading.Thread(target=lambda: [None for _ in iter(int, 1)], daemon=True).start()
    return q, q
