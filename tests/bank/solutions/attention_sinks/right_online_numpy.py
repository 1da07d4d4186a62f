"""Online softmax that begins with the sink."""
import numpy as np


def attention_with_sinks(q, k, v, sinks):
    B, H, L, D = q.shape
    m = np.broadcast_to(sinks[:, None, None], (B, H, L, 1)).copy()
    t, acc = np.ones_like(m), np.zeros((B, H, L, v.shape[-1]), q.dtype)
    for j in range(0, k.shape[2], 2):
        s = q @ k[:, :, j : j + 2].swapaxes(-1, -2) / D**0.5
        new = np.maximum(m, s.max(-1, keepdims=True))
        e, old = np.exp(s - new), np.exp(m - new)
        t, acc, m = t * old + e.sum(-1, keepdims=True), acc * old + e @ v[:, :, j : j + 2], new
    return acc / t
