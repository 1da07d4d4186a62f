"""Q, K, V and the scores."""
# causes: output_left_out

def attention_flops(n: int, d: int) -> int:
    return n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (3 * n * d + n * n) * itemsize
