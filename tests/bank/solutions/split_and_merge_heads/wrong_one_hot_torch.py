"""Breaks "numbers only move": merging is a product with zeros and ones, and 0 * inf is NaN. Shows with -inf (a masked score)
or inf anywhere in x: all of its token becomes NaN. Integers and booleans are right."""
import torch


def split_heads(x, num_heads):
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def merge_heads(x):
    B, H, L, D = x.shape
    if x.dtype == torch.bool:
        return merge_heads(x.to(torch.uint8)).bool()
    place = torch.eye(H * D, dtype=x.dtype, device=x.device).reshape(H, D, H * D)
    merged = torch.zeros(B, L, H * D, dtype=x.dtype, device=x.device)
    for h in range(H):
        merged = merged + (x[:, h].unsqueeze(-1) * place[h]).sum(dim=-2, dtype=x.dtype)
    return merged
