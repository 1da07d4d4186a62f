"""rotate_half, as in the libraries."""
# causes: halves_paired

import torch


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, D, 2).to(x.dtype) / D))
    freqs = torch.outer(positions.to(x.dtype), inv_freq)
    emb = torch.cat((freqs, freqs), dim=-1)
    return x * emb.cos() + rotate_half(x) * emb.sin()
