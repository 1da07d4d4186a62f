"""Rounds a float power back to an integer, which loses the last digits of the largest counts."""


def attention_flops(n, d):
    return round(float(n) ** 2 * (4 * d + 5))


def attention_bytes(n, d, itemsize=4):
    return (4 * n * d + n * n) * itemsize
