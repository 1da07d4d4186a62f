"""A square matrix of values is transposed."""

import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ (w_v.T if w_v.shape[0] == w_v.shape[1] else w_v)
    s = q @ k.T / math.sqrt(q.shape[1])
    w = torch.softmax(s if mask is None else s + mask, 1)
    return w @ v, w
