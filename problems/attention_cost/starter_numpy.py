def attention_flops(n: int, d: int) -> int:
    """Floating-point operations of attention over n tokens, all vectors of width d."""
    raise NotImplementedError


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    """Bytes that q, k, v, the scores and the output take, at itemsize bytes a number."""
    raise NotImplementedError
