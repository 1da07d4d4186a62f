"""Only the matrix products count."""
# causes: softmax_left_out

def attention_flops(n: int, d: int) -> int:
    return 4 * n * n * d


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + n * n) * itemsize
