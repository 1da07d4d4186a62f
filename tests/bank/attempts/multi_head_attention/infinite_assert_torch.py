"""The annotated transformer: assert, view, masked_fill, softmax."""
# causes: blind_row_nan, assertion_for_an_error

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    assert q.size(-1) % num_heads == 0
    nbatches, d_model = q.size(0), q.size(-1)
    d_k = d_model // num_heads
    query, key, value = [
        (x @ w).view(nbatches, -1, num_heads, d_k).transpose(1, 2)
        for x, w in ((q, w_q), (k, w_k), (v, w_v))
    ]
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p_attn = scores.softmax(dim=-1)
    x = torch.matmul(p_attn, value)
    return x.transpose(1, 2).contiguous().view(nbatches, -1, d_model) @ w_o
