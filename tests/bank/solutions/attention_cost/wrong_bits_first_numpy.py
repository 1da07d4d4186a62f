"""Bits are counted in int64 and divided by 8, and overflow where the bytes do not."""
import numpy as np


def attention_flops(n: int, d: int) -> int:
    """Floating-point operations of attention over n tokens, all vectors of width d."""
    n, d = np.int64(n), np.int64(d)
    return n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    """Bytes that q, k, v, the scores and the output take, at itemsize bytes a number."""
    n, d = np.int64(n), np.int64(d)
    bits = np.int64(8 * itemsize) * (4 * n * d + n * n)
    return bits // 8
