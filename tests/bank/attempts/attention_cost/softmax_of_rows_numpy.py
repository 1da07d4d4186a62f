"""Five operations for each row; three matrices and the scores."""
# causes: softmax_of_a_row, output_left_out

def attention_flops(n: int, d: int) -> int:
    return 4 * n * n * d + 5 * n


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (3 * n * d + n * n) * itemsize
