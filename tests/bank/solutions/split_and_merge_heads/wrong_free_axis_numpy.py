"""Breaks "Other numbers of heads are refused": the refusal is left to reshape, whose free axis L swallows the rest. E = 4,
H = 3, L = 3 gives heads of shape (B, 3, 4, 1) and no ValueError; E = 5, H = 2, L = 3 is refused."""
import numpy as np


def split_heads(x, num_heads):
    B, L, E = x.shape
    return x.reshape(B, -1, num_heads, E // num_heads).swapaxes(1, 2)


def merge_heads(x):
    B, H, L, D = x.shape
    return x.swapaxes(1, 2).reshape(B, L, H * D)
