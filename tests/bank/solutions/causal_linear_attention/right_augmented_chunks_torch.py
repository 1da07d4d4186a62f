"""Chunks of 128: a triangle inside, a running summary between, with a column of ones beside the values."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    q, k, v = F.elu(q) + 1, F.elu(k) + 1, F.pad(v, (0, 1), value=1.0)
    state = q.new_zeros(len(q), q.shape[-1], v.shape[-1])
    pieces = []
    for a, b, c in zip(*(x.split(128, dim=1) for x in (q, k, v))):
        pieces.append((a @ b.mT).tril() @ c + a @ state)
        state = state + b.mT @ c
    both = torch.cat(pieces, 1)
    return both[..., :-1] / both[..., -1:]
