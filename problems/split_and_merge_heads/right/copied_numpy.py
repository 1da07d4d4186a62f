# Numbers are copied to their places, head by head: no reshape and no transpose.
import numpy as np


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads != 0:
        raise ValueError(f"{num_heads} heads do not divide a width of {E}")
    D = E // num_heads
    heads = np.empty((B, num_heads, L, D), dtype=x.dtype)
    for h in range(num_heads):
        heads[:, h] = x[:, :, h * D : (h + 1) * D]
    return heads


def merge_heads(x):
    B, H, L, D = x.shape
    tokens = np.empty((B, L, H * D), dtype=x.dtype)
    for h in range(H):
        tokens[:, :, h * D : (h + 1) * D] = x[:, h]
    return tokens
