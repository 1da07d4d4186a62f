"""Goes through float32 and back to the dtype: large integers are rounded."""


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("no")
    return x.float().unflatten(-1, (num_heads, -1)).transpose(1, 2).to(x.dtype)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
