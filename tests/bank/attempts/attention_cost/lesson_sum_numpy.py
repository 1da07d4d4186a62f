"""A sum of named parts."""
# causes: none

def attention_flops(n: int, d: int) -> int:
    multiply_add = 2
    products = 2
    per_entry = products * multiply_add * d + 5
    return n * n * per_entry


def attention_bytes(n: int, d: int, itemsize: int = 4) -> int:
    stored = {"q": n * d, "k": n * d, "v": n * d, "scores": n * n, "output": n * d}
    return sum(stored.values()) * itemsize
