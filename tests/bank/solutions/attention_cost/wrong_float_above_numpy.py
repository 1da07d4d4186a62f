"""Rounded through a float, which only large counts show."""
def attention_flops(n, d):
    return int(n**2 * (4.0 * d + 5))


def attention_bytes(n, d, itemsize=4):
    return int((4.0 * d + n) * n * itemsize)
