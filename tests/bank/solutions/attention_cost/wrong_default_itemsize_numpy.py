"""Everything right, but the default is a float64's eight bytes."""


def attention_flops(n, d):
    return 4 * n * n * d + 5 * n * n


def attention_bytes(n, d, itemsize=8):
    return (4 * n * d + n * n) * itemsize
