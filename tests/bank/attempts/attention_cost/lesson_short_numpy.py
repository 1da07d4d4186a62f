"""Collected into one product."""
# causes: none

def attention_flops(n: int, d: int) -> int:
    return n**2 * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return itemsize * (4 * n * d + n**2)
