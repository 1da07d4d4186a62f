# unflatten and flatten say which axis is taken apart, so the other sizes need no names.
def split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError(f"{num_heads} heads do not divide a width of {x.shape[-1]}")
    return x.unflatten(-1, (num_heads, x.shape[-1] // num_heads)).movedim(2, 1)


def merge_heads(x):
    return x.movedim(1, 2).flatten(start_dim=2)
