"""Everything is as long as the queries, and True is what I hide."""
# causes: query_length_for_keys, mask_inverted

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError
    d = E // num_heads
    Q = (q @ w_q).view(B, L, num_heads, d).transpose(1, 2)
    K = (k @ w_k).view(B, L, num_heads, d).transpose(1, 2)
    V = (v @ w_v).view(B, L, num_heads, d).transpose(1, 2)
    s = Q @ K.transpose(-2, -1) / d ** 0.5
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    w = torch.softmax(s, -1)
    return (w @ V).transpose(1, 2).reshape(B, L, E) @ w_o
