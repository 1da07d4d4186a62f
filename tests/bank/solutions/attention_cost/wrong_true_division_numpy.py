"""Goes through kibibytes with a true division, so the bytes come back as a float."""


def attention_flops(n, d):
    return 4 * n * n * d + 5 * n * n


def attention_bytes(n, d, itemsize=4):
    kib = (4 * n * d + n * n) * itemsize / 1024
    return kib * 1024
