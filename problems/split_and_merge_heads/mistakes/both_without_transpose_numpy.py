def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads != 0:
        raise ValueError("the width cannot be shared out evenly")
    return x.reshape(B, num_heads, L, E // num_heads)


def merge_heads(x):
    B, H, L, D = x.shape
    return x.reshape(B, L, H * D)
