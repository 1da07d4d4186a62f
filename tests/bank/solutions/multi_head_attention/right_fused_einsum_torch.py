"""Projections and scores in one einsum, weights, values and the output projection in another: the order of the sums is the library's."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    width = q.shape[-1]
    if width % num_heads:
        raise ValueError("the heads do not share the width evenly")
    d = width // num_heads
    wq, wk, wv = (w.reshape(width, num_heads, d) for w in (w_q, w_k, w_v))
    scores = torch.einsum("ble,ehd,bsf,fhd->bhls", q, wq, k, wk) / math.sqrt(d)
    if mask is None:
        weights = torch.softmax(scores, -1)
    else:
        weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), -1).masked_fill(~mask, 0.0)
    return torch.einsum("bhls,bsf,fhd,hdo->blo", weights, v, wv, w_o.reshape(num_heads, d, width))
