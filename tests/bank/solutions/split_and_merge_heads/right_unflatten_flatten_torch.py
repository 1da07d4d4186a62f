"""unflatten and flatten; non-contiguous results."""


def split_heads(x, num_heads):
    if x.size(-1) % num_heads:
        raise ValueError("the heads do not fit")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
