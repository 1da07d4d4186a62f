"""Merges without the exchange when the two middle axes look as if it had been done."""


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("no")
    return x.reshape(B, L, num_heads, -1).swapaxes(1, 2)


def merge_heads(x):
    B, H, L, D = x.shape
    if H < L:
        x = x.swapaxes(1, 2)
    return x.reshape(B, L, H * D)
