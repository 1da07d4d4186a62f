"""Padding hides queries too, in causal self-attention only."""

import math

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, S = q.shape[0], q.shape[1], k.shape[1]
    s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
    see = np.ones((B, L, S), bool)
    if padding_mask is not None:
        see &= padding_mask[:, None, :]
        if causal and L == S:
            see &= padding_mask[:, :, None]
    if causal:
        see &= np.tril(np.ones((L, S), bool), k=S - L)
    s = np.where(see, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isinf(m), 0, m)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return w @ v, w
