"""Merging goes through float64, which rounds large integers."""
import numpy as np


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("the width is not divisible by the heads")
    return x.reshape(B, L, num_heads, -1).swapaxes(1, 2)


def merge_heads(x):
    B, H, L, D = x.shape
    return x.astype(float).swapaxes(1, 2).reshape(B, L, H * D).astype(x.dtype)
