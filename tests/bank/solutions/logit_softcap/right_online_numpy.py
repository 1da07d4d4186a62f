"""Online softmax over blocks of three keys."""
import math

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)
    t, acc = np.zeros_like(m), np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
    for j in range(0, S, 3):
        s = cap * np.tanh(q @ k[..., j : j + 3, :].swapaxes(-1, -2) / math.sqrt(D) / cap)
        if causal:
            s = np.where(np.arange(j, min(j + 3, S)) <= np.arange(L)[:, None] + S - L, s, -np.inf)
        new = np.maximum(m, s.max(-1, keepdims=True))
        base = np.where(np.isinf(new), 0, new)
        old, e = np.exp(m - base), np.exp(s - base)
        t, acc, m = t * old + e.sum(-1, keepdims=True), acc * old + e @ v[..., j : j + 3, :], new
    return acc / np.where(t == 0, 1, t)
