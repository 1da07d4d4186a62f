"""Einsum as a transpose; -1 left to reshape."""
import numpy as np


def split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError(f"{x.shape[2]} columns for {num_heads} heads")
    return np.einsum("blhd->bhld", x.reshape(*x.shape[:2], num_heads, -1))


def merge_heads(x):
    return np.einsum("bhld->blhd", x).reshape(x.shape[0], x.shape[2], -1)
