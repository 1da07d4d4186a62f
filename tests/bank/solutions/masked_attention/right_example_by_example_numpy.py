"""In another style: example by example."""

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, S = len(q), q.shape[1], k.shape[1]
    w = np.zeros((B, L, S), q.dtype)
    for b in range(B):
        for i in range(L):
            see = np.ones(S, bool) if padding_mask is None else padding_mask[b].copy()
            if causal:
                see &= np.arange(S) <= i + S - L
            if see.any():
                s = k[b, see] @ q[b, i] / np.sqrt(q.shape[-1]).astype(q.dtype)
                e = np.exp(s - s.max())
                w[b, i, see] = e / e.sum()
    return w @ v, w
