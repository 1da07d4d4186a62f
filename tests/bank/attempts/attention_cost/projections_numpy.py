"""Making Q, K and V costs three products."""
# causes: projections_counted, output_left_out

def attention_flops(n: int, d: int) -> int:
    projections = 3 * 2 * n * d * d
    return projections + n * n * (4 * d + 5)


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    return (3 * n * d + n * n) * itemsize
