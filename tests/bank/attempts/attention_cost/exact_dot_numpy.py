"""A dot product has d multiplications and d - 1 additions."""
# causes: other: one addition fewer for each dot product

def attention_flops(n: int, d: int) -> int:
    return n * n * (2 * d - 1) * 2 + 5 * n * n


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + n * n) * itemsize
