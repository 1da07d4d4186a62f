"""More heads than columns get heads of width 0."""
import numpy as np


def split_heads(x, num_heads):
    b, l, e = x.shape
    d = e // num_heads
    if d and e % num_heads:
        raise ValueError("uneven")
    return x[..., : d * num_heads].reshape(b, l, num_heads, d).swapaxes(1, 2)


def merge_heads(x):
    b, h, l, d = x.shape
    return x.swapaxes(1, 2).reshape(b, l, h * d)
