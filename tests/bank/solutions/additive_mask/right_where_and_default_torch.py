"""In another style: where and default."""

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = torch.addmm(torch.zeros(len(x), len(x), dtype=x.dtype) if mask is None else mask, q, k.T, alpha=k.shape[1] ** -0.5)
    w = (s - s.logsumexp(-1, keepdim=True)).exp()
    return w @ v, w
