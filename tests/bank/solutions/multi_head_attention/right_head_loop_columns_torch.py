"""In another style: head loop columns."""

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E = q.shape[-1]
    if E % num_heads:
        raise ValueError("E")
    D = E // num_heads
    Q, K, V = (t.unflatten(-1, (num_heads, D)) for t in (q @ w_q, k @ w_k, v @ w_v))
    s = torch.einsum("blhd,bshd->bhls", Q, K) * D**-0.5
    if mask is not None:
        s = s.masked_fill(torch.logical_not(mask), -1e30)
    w = s.softmax(-1)
    if mask is not None:
        w = w * mask
    return torch.einsum("bhls,bshd->blhd", w, V).flatten(2) @ w_o
