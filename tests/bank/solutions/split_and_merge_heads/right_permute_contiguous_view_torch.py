"""view, permute, contiguous and view again."""


def split_heads(x, num_heads):
    B, L, E = x.size()
    d = E // num_heads
    if d * num_heads != E:
        raise ValueError(f"{E} is not a multiple of {num_heads}")
    return x.contiguous().view(B, L, num_heads, d).permute(0, 2, 1, 3).contiguous()


def merge_heads(x):
    B, H, L, D = x.size()
    return x.permute(0, 2, 1, 3).contiguous().view(B, L, H * D)
