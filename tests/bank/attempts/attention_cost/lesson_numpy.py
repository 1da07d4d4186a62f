"""The three terms, one after the other."""
# causes: none

def attention_flops(n: int, d: int) -> int:
    scores = 2 * n * n * d
    softmax = 5 * n * n
    output = 2 * n * n * d
    return scores + softmax + output


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    qkv = 3 * n * d
    scores = n * n
    output = n * d
    return (qkv + scores + output) * itemsize
