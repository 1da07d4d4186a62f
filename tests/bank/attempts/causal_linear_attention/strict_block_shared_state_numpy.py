"""In a block a token reads what came before it, and the running summary starts at zero once."""
# causes: itself_left_out, other: summary not reset between the examples of the batch

import numpy as np

BLOCK = 128


def feature(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    B, n, D = q.shape
    Dv = v.shape[2]
    Q, K = feature(q), feature(k)
    out = np.zeros((B, n, Dv), dtype=v.dtype)
    S = np.zeros((D, Dv), dtype=v.dtype)
    z = np.zeros(D, dtype=v.dtype)
    for b in range(B):
        for start in range(0, n, BLOCK):
            qb = Q[b, start : start + BLOCK]
            kb = K[b, start : start + BLOCK]
            vb = v[b, start : start + BLOCK]
            inside = np.tril(qb @ kb.T, k=-1)
            top = qb @ S + inside @ vb
            below = qb @ z + inside.sum(axis=1)
            out[b, start : start + BLOCK] = top / (below[:, None] + 1e-9)
            S = S + kb.T @ vb
            z = z + kb.sum(axis=0)
    return out
