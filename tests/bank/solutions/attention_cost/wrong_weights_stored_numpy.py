"""Scores and weights are both stored."""
def attention_flops(n, d):
    return 4 * n * n * d + 5 * n * n


def attention_bytes(n, d, itemsize=4):
    return itemsize * (4 * n * d + 2 * n * n)
