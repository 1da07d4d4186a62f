"""Chunks that know nothing of each other, with a strict triangle."""
# causes: memory_forgotten, itself_left_out

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    out = []
    for Q, K, V, G in zip(*(x.split(chunk, 2) for x in (q, k, v, gates))):
        strict = torch.ones(Q.shape[2], Q.shape[2], dtype=torch.bool).tril(-1)
        W = torch.where(strict[..., None], G.unsqueeze(3), 1.0).cumprod(2)
        A = torch.einsum("bhid,bhijd,bhjd->bhij", Q, W, K) * strict
        out.append(A @ V)
    return torch.cat(out, 2)
