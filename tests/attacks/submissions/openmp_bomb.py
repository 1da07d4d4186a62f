"""Ask PyTorch for ten thousand threads and multiply large matrices.

rows: 75
verdicts: runtime_error, time_limit_exceeded, wrong_answer
framework: torch
limits: wall_s=2
"""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    torch.set_num_threads(10_000)
    big = torch.ones(1500, 1500)
    big = big @ big
    torch.sort(torch.rand(1 << 20))
    return q * big[0, 0], k
