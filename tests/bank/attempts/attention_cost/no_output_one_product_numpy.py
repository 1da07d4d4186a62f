"""QK and softmax; Q, K, V and the scores."""
# causes: output_left_out, products_counted_half

def attention_flops(n: int, d: int) -> int:
    return 2 * n * n * d + 5 * n * n


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (3 * n * d + n * n) * itemsize
