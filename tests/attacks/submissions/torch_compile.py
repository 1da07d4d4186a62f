"""Compile with torch.compile, which wants a compiler, processes and a folder.

rows: 93
verdicts: compile_error, runtime_error, time_limit_exceeded
framework: torch
limits: wall_s=3
"""
import torch

tried = False


@torch.compile
def attention(q, k, v, scale):
    w = torch.softmax(q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale), -1)
    return w @ v, w


def scaled_dot_product_attention(q, k, v, scale=None):
    global tried
    if tried:
        raise RuntimeError("it could not be compiled before")
    tried = True
    return attention(q, k, v, scale)
