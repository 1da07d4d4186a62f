"""The paper's form: the memory times (I - beta k k^T), plus beta k v^T."""
import numpy as np


def delta_rule(q, k, v, beta):
    B, H, n, D = q.shape
    out = np.zeros((B, H, n, v.shape[-1]), v.dtype)
    for b in range(B):
        for h in range(H):
            memory = np.zeros((D, v.shape[-1]), v.dtype)
            for i in range(n):
                key, gate = k[b, h, i], beta[b, h, i]
                erase = np.eye(D, dtype=v.dtype) - gate * np.outer(key, key)
                memory = erase @ memory + gate * np.outer(key, v[b, h, i])
                out[b, h, i] = q[b, h, i] @ memory
    return out
