"""Heads and tokens are told apart by size, the smaller being the heads."""
import torch


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("uneven")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    if x.shape[1] < x.shape[2] or x.shape[1] > x.shape[2]:
        x = x.transpose(1, 2)
    return x.flatten(2)
