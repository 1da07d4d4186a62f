"""A multiply-add is one operation, and a number has four bytes."""
# causes: products_counted_half, always_four_bytes

def attention_flops(n: int, d: int) -> int:
    return n * n * d + 5 * n * n + n * n * d


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return 4 * (4 * n * d + n * n)
