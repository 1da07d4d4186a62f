"""Two matrix products; scores and weights are stored."""
# causes: softmax_left_out, weights_too

def attention_flops(n: int, d: int) -> int:
    return 2 * n * n * d + 2 * n * n * d


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (4 * n * d + 2 * n * n) * itemsize
