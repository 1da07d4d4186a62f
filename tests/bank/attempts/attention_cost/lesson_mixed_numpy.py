"""Count the entries first."""
# causes: none

def attention_flops(n: int, d: int) -> int:
    entries = n * n
    return 2 * d * entries + 5 * entries + 2 * d * entries


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    entries = n * n
    return entries * itemsize + 4 * n * d * itemsize
