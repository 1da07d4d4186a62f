"""Heads folded into the batch, and baddbmm with the scale as alpha."""

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    batch, L, E = q.shape
    S = k.size(1)
    if num_heads <= 0 or E % num_heads != 0:
        raise ValueError("num_heads has to divide the model width")
    D = E // num_heads

    def fold(x, w):
        y = torch.matmul(x, w).unflatten(-1, (num_heads, D))
        return y.transpose(1, 2).flatten(0, 1)

    qh, kh, vh = fold(q, w_q), fold(k, w_k), fold(v, w_v)
    zero = q.new_zeros(())
    scores = torch.baddbmm(zero.expand(batch * num_heads, L, S), qh, kh.transpose(1, 2), beta=0, alpha=D ** -0.5)
    if mask is None:
        weights = scores.softmax(-1)
    else:
        hidden = mask.logical_not().expand(batch, num_heads, L, S).reshape(-1, L, S)
        blind = hidden.all(dim=-1, keepdim=True)
        scores = scores.masked_fill(hidden, float("-inf")).masked_fill(blind, 0.0)
        weights = scores.softmax(-1).masked_fill(hidden, 0.0)
    heads = torch.bmm(weights, vh).unflatten(0, (batch, num_heads))
    return heads.transpose(1, 2).flatten(2) @ w_o
