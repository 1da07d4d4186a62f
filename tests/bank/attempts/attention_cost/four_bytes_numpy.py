"""Floats have four bytes."""
# causes: always_four_bytes

def attention_flops(n: int, d: int) -> int:
    return n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return 4 * (4 * n * d + n * n)
