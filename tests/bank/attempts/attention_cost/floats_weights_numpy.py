"""Count in millions and multiply at the end."""
# causes: float_result, weights_too

def attention_flops(n: int, d: int) -> int:
    return (4 * n**2 * d + 5 * n**2) / 1e6 * 1e6


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + 2 * n * n) * itemsize
