"""Scores are kept in four bytes whatever the others are."""
def attention_flops(n, d):
    return n * n * (4 * d + 5)


def attention_bytes(n, d, itemsize=4):
    return itemsize * 4 * n * d + max(itemsize, 4) * n * n
