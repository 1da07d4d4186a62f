"""Counted product by product, with a helper for a matrix product."""
def product(rows, inner, columns):
    return 2 * rows * inner * columns


def attention_flops(n, d):
    steps = ("maximum", "subtraction", "exponential", "sum", "division")
    return product(n, d, n) + sum(n * n for _ in steps) + product(n, n, d)


def attention_bytes(n, d, itemsize=4):
    stored = {"q": (n, d), "k": (n, d), "v": (n, d), "scores": (n, n), "output": (n, d)}
    return sum(rows * columns for rows, columns in stored.values()) * itemsize
