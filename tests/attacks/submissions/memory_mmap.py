"""Map memory in many pieces, touch each page, and catch what is raised.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: wrong_answer
limits: memory_mib=64
"""
import mmap


def scaled_dot_product_attention(q, k, v, scale=None):
    hoard = []
    while True:
        try:
            piece = mmap.mmap(-1, 16 << 20)
        except (OSError, MemoryError):
            return hoard
        for at in range(0, len(piece), 4096):
            piece[at] = 1
        hoard.append(piece)
