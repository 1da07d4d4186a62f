"""Right: one key at a time with a running maximum, sum and weighted values; results are transposed views."""
import math

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S, Dv = v.shape[1:]
    lowest = np.finfo(q.dtype).min
    top = np.full((B, L), lowest, q.dtype)
    total = np.zeros((B, L), q.dtype)
    weights = np.zeros((S, B, L), q.dtype)
    output = np.zeros((Dv, B, L), q.dtype)
    for j in range(S):
        score = (q * k[:, j : j + 1]).sum(-1) / math.sqrt(D)
        seen = np.ones((B, L), bool)
        if padding_mask is not None:
            seen &= padding_mask[:, j, None]
        if causal:
            seen &= j <= np.arange(L) + S - L
        new = np.where(seen, np.maximum(top, score), top)
        shrink = np.exp(top - new)
        gain = np.where(seen, np.exp(np.minimum(score - new, 0)), 0)
        total = total * shrink + gain
        weights *= shrink
        weights[j] = gain
        output = output * shrink + gain * v[:, j].T[:, :, None]
        top = new
    total = np.where(total == 0, 1, total)
    return (output / total).transpose(1, 2, 0), (weights / total).transpose(1, 2, 0)
