"""Take memory in small pieces without end.

rows: 76
verdicts: memory_limit_exceeded
limits: memory_mib=64
"""


def scaled_dot_product_attention(q, k, v, scale=None):
    hoard = []
    while True:
        hoard.append(bytes(1 << 16))
