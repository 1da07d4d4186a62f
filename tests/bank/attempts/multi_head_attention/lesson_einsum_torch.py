"""The same products as einsum."""
# causes: none

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    E = q.shape[-1]
    if E % num_heads:
        raise ValueError(f"{E} is not a multiple of {num_heads}")
    D = E // num_heads
    Q = (q @ w_q).unflatten(-1, (num_heads, D))
    K = (k @ w_k).unflatten(-1, (num_heads, D))
    V = (v @ w_v).unflatten(-1, (num_heads, D))
    scores = torch.einsum("blhd,bshd->bhls", Q, K) * D**-0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e30)
    weights = torch.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights * mask
    return torch.einsum("bhls,bshd->blhd", weights, V).flatten(-2) @ w_o
