"""A penalty counts up to 18 000 only."""

import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / math.sqrt(q.shape[1])
    if mask is not None:
        s = s + mask.clamp(min=-1.8e4)
    w = torch.softmax(s, 1)
    return w @ v, w
