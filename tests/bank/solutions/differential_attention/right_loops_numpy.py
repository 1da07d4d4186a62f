"""Head by head, with a guard in both denominators."""
import numpy as np


def differential_attention(q1, k1, q2, k2, v, lam):
    B, H, L, D = q1.shape
    out = np.empty((B, H, L, v.shape[-1]), q1.dtype)
    for b in range(B):
        for h in range(H):
            maps = []
            for q, k in ((q1, k1), (q2, k2)):
                s = q[b, h] @ k[b, h].T * D**-0.5
                e = np.exp(s - s.max(1, keepdims=True))
                maps.append(e / (e.sum(1, keepdims=True) + 1e-9))
            out[b, h] = (maps[0] - lam[h] * maps[1]) @ v[b, h]
    return out
