"""Head by head and query by query, lengths by np.linalg.norm."""
import math

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    B, H, L, D = q.shape
    out = np.empty((B, H, L, v.shape[-1]), q.dtype)
    for b in range(B):
        for h in range(H):
            lengths = np.linalg.norm(k[b, h], axis=1, keepdims=True) / math.sqrt(D)
            keys = k[b, h] / np.hypot(lengths, math.sqrt(eps)) * gain_k
            for i in range(L):
                query = q[b, h, i] / np.sqrt(q[b, h, i] @ q[b, h, i] / D + eps) * gain_q
                s = keys @ query / math.sqrt(D)
                e = np.exp(s - s.max())
                out[b, h, i] = e / e.sum() @ v[b, h]
    return out
