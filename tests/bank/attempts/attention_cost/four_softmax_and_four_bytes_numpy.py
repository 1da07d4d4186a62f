"""Softmax is subtract, exp, sum and divide; a float has four bytes."""
# causes: other: four operations for each entry of the softmax, always_four_bytes

FLOAT_BYTES = 4


def _matmul_ops(rows, inner, cols):
    return 2 * rows * inner * cols


def attention_flops(n: int, d: int) -> int:
    total = _matmul_ops(n, d, n)
    total += 4 * n * n
    total += _matmul_ops(n, n, d)
    return total


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    qkv = 3 * n * d
    scores = n * n
    output = n * d
    return (qkv + scores + output) * FLOAT_BYTES
