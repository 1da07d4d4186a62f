"""Exponentials of a block of 16 keys are relative to the maximum of that block."""

import math

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = k.shape[-1]
    scores = q @ k.T / math.sqrt(d)  # (n, n)
    if mask is not None:
        scores = scores + mask
    exp = np.concatenate([np.exp(scores[:, i:i+16] - scores[:, i:i+16].max(axis=-1, keepdims=True)) for i in range(0, scores.shape[1], 16)], axis=1)
    weights = exp / exp.sum(axis=-1, keepdims=True)  # (n, n)
    return weights @ v, weights  # (n, Dv), (n, n)
