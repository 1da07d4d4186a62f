"""Raise an exception whose class, bases, message and traceback all have enormous names, in every case.

rows: 131
verdicts: runtime_error
"""
Long = type("\u202e" * 99999, (ValueError,), {})
for _ in range(50):
    Long = type("\u202e" * 99999, (Long,), {})


def scaled_dot_product_attention(q, k, v, scale=None):
    raise Long("\u202e" * 99999)
