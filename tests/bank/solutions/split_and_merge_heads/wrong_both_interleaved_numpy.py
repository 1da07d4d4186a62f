"""Interleaves when splitting and when merging, so that the round trip works."""


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("no")
    return x.reshape(B, L, -1, num_heads).transpose(0, 3, 1, 2)


def merge_heads(x):
    B, H, L, D = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, L, H * D)
