"""Leaves the number of heads to reshape, so ten columns and four heads give five heads."""


def split_heads(x, num_heads):
    if num_heads > x.shape[2]:
        raise ValueError("too many heads")
    return x.reshape(*x.shape[:2], -1, x.shape[2] // num_heads).swapaxes(1, 2)


def merge_heads(x):
    return x.swapaxes(1, 2).reshape(x.shape[0], x.shape[2], -1)
