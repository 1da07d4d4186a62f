"""Powers and divisions of floats."""
# causes: float_result

def attention_flops(n: int, d: int) -> int:
    return 4.0 * n**2 * d + 5 * n**2


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + n * n) * itemsize
