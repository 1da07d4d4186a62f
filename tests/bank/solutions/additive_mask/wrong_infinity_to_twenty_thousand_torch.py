"""Minus infinity becomes -20 000: a hidden score of 10 000 ties with a visible one of -10 000."""
import torch


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / q.shape[1] ** 0.5
    if mask is not None:
        s = s + mask.clamp(min=-20000.0)
    w = s.softmax(-1)
    return w @ v, w
