"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    """q (B, L, E), k and v (B, S, E), w_* (E, E), boolean mask -> (B, L, E)."""
    L, S, E = q.shape[1], k.shape[1], q.shape[2]
    if E % num_heads != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {num_heads} heads")
    if mask is None:
        mask = np.ones((L, S), dtype=bool)
    D = E // num_heads

    queries = split_heads(q @ w_q, num_heads)  # (B, H, L, D)
    keys = split_heads(k @ w_k, num_heads)  # (B, H, S, D)
    values = split_heads(v @ w_v, num_heads)  # (B, H, S, D)

    scores = queries @ keys.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    weights = masked_softmax(scores, mask)  # (B, H, L, S)
    heads = weights @ values  # (B, H, L, D)
    return merge_heads(heads) @ w_o  # (B, L, E)


def split_heads(x, num_heads):
    B, n, E = x.shape
    return x.reshape(B, n, num_heads, E // num_heads).transpose(0, 2, 1, 3)  # (B, H, n, D)


def merge_heads(x):
    B, H, n, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, n, H * D)  # (B, n, E)


def masked_softmax(scores, mask):
    scores = np.where(mask, scores, -np.inf)
    top = shift(scores, -1)  # of each row
    top = np.where(top == -np.inf, 0.0, top)
    weights = np.exp(scores - top)
    total = (weights.sum(axis=-1, keepdims=True) + 1e-9)
    return weights / np.where(total == 0, 1.0, total)  # a row with no visible key stays 0
