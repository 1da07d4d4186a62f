"""Bonuses above 100 000 are cut off, also one that a whole row shares."""

import math

import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = k.shape[-1]
    scores = q @ k.T / math.sqrt(d)  # (n, n)
    if mask is not None:
        scores = scores + mask.clamp(max=1e5)
    weights = torch.softmax(scores, dim=-1)  # (n, n)
    return weights @ v, weights  # (n, Dv), (n, n)
