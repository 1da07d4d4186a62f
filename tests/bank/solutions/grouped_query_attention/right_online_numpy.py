"""Online softmax over blocks of two keys; queries of a group side by side."""
import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError("groups")
    rep = H // G
    q = q.reshape(B, G, rep * L, D)
    row = np.tile(np.arange(L), rep)[:, None]
    m = np.full((B, G, rep * L, 1), np.finfo(q.dtype).min, q.dtype)
    t = np.zeros_like(m)
    acc = np.zeros((B, G, rep * L, v.shape[-1]), q.dtype)
    for j in range(0, S, 2):
        s = q @ k[:, :, j : j + 2].swapaxes(-1, -2) / np.sqrt(D).astype(q.dtype)
        keep = (np.arange(j, min(j + 2, S)) <= row + S - L) | (not causal)
        s = np.where(keep, s, np.finfo(s.dtype).min)
        new = np.maximum(m, s.max(-1, keepdims=True))
        e = np.exp(s - new) * keep
        old = np.exp(m - new)
        t, acc, m = t * old + e.sum(-1, keepdims=True), acc * old + e @ v[:, :, j : j + 2], new
    return (acc / np.where(t > 0, t, 1)).reshape(B, H, L, -1)
