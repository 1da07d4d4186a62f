"""Scores and weights are two matrices."""
# causes: weights_too

def attention_flops(n: int, d: int) -> int:
    return n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + 2 * n * n) * itemsize
