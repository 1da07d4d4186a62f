"""Compile with torch.compile, which wants a compiler and a folder.

rows: 93
verdicts: compile_error, runtime_error, time_limit_exceeded
framework: torch
limits: wall_s=6
"""
import torch


@torch.compile
def scaled_dot_product_attention(q, k, v, scale=None):
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return w @ v, w
