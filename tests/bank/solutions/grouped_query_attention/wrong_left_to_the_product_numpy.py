# wrong: no check; most bad numbers fail by luck with ValueError in matmul, but H = 1 with G = 2 repeats 0 times and returns an empty array
import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    H, L, D = q.shape[1:]
    G, S = k.shape[1], k.shape[2]
    k, v = np.repeat(k, H // G, axis=1), np.repeat(v, H // G, axis=1)
    s = q @ k.swapaxes(-1, -2) / D**0.5
    see = np.tri(L, S, S - L, dtype=bool) if causal else np.ones((L, S), dtype=bool)
    s = np.where(see, s, -np.inf).astype(q.dtype)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m).astype(q.dtype))
    z = e.sum(-1, keepdims=True)
    return (e / np.where(z == 0, 1, z).astype(q.dtype)) @ v
