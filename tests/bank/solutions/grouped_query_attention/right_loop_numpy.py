"""Head by head, with the usual guard."""
import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError(f"{H} % {G}")
    out = np.zeros((B, H, L, v.shape[-1]), q.dtype)
    for h in range(H):
        g = h // (H // G)
        s = q[:, h] @ k[:, g].transpose(0, 2, 1) / D**0.5
        keep = np.tril(np.ones((L, S)), S - L) if causal else np.ones((L, S))
        s = np.where(keep == 1, s, -1e9)
        e = np.exp(s - s.max(-1, keepdims=True)) * keep
        out[:, h] = e / (e.sum(-1, keepdims=True) + 1e-9) @ v[:, g]
    return out
