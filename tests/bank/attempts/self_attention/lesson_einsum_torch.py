"""Every product as einsum."""
# causes: none

import torch


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q = torch.einsum("ne,ed->nd", x, w_q)
    k = torch.einsum("ne,ed->nd", x, w_k)
    v = torch.einsum("ne,ed->nd", x, w_v)
    scores = torch.einsum("id,jd->ij", q, k) / q.shape[-1] ** 0.5
    weights = scores.softmax(-1)
    return torch.einsum("ij,jd->id", weights, v), weights
