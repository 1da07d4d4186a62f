"""Splitting the model width into heads and back: Vaswani et al. 2017, section 3.2.2."""


def split_heads(x, num_heads):
    """(B, L, E) -> (B, H, L, D) with D = E / H."""
    B, L, E = x.shape
    if E % num_heads != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {num_heads} heads")
    heads = x.reshape(B, L, num_heads, E // num_heads)  # (B, L, H, D)
    return heads.transpose(0, 2, 1, 3)  # (B, H, L, D)


def merge_heads(x):
    """(B, H, L, D) -> (B, L, E) with E = H D."""
    B, H, L, D = x.shape
    tokens = x.transpose(0, 2, 1, 3)  # (B, L, H, D)
    return tokens.reshape(B, L, H * D)  # (B, L, E)
