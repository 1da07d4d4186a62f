"""Every bias below -10 000 hides, also where all keys of a row have one."""

import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / math.sqrt(q.shape[1])
    if mask is not None:
        s = (s + mask).masked_fill(mask < -1e4, -torch.inf)
    w = torch.nan_to_num(torch.softmax(s, 1))
    return w @ v, w
