"""Take memory while the file is being loaded, and catch MemoryError.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: wrong_answer
limits: memory_mib=64
"""
hoard = []
try:
    while True:
        hoard.append(bytearray(1 << 20))
except MemoryError:
    hoard.clear()


def scaled_dot_product_attention(q, k, v, scale=None):
    return q, k
