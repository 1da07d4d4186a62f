"""Splitting goes through float64, which rounds large integers."""
import numpy as np


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("the width is not divisible by the heads")
    return x.astype(float).reshape(B, L, num_heads, -1).swapaxes(1, 2).astype(x.dtype)


def merge_heads(x):
    B, H, L, D = x.shape
    return x.swapaxes(1, 2).reshape(B, L, H * D)
