"""In another style: pow."""


def attention_flops(n, d):
    return sum((2 * n**2 * d, 5 * n**2, 2 * n**2 * d))


def attention_bytes(n, d, itemsize=4):
    return itemsize * sum(a * b for a, b in [(n, d)] * 4 + [(n, n)])
