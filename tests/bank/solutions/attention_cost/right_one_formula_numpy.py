"""Each count as one closed formula."""


def attention_flops(n, d):
    return n**2 * (4 * d + 5)


def attention_bytes(n, d, itemsize=4):
    return itemsize * n * (n + 4 * d)
