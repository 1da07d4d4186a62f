"""-1e9 for hidden keys."""
# causes: blind_row_uniform

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q = (q @ w_q).reshape(B, L, num_heads, D).transpose(1, 2)
    K = (k @ w_k).reshape(B, -1, num_heads, D).transpose(1, 2)
    V = (v @ w_v).reshape(B, -1, num_heads, D).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / D**0.5
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    weights = scores.softmax(dim=-1)
    return (weights @ V).transpose(1, 2).reshape(B, L, E) @ w_o
