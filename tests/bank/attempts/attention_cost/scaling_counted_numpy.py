"""The division by the root is an operation for each score."""
# causes: scaling_counted

def attention_flops(n: int, d: int) -> int:
    return 2 * n * n * d + n * n + 5 * n * n + 2 * n * n * d


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + n * n) * itemsize
