"""Checks by assert."""


def split_heads(x, num_heads):
    assert x.shape[-1] % num_heads == 0
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).flatten(2)
