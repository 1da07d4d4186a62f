"""As in the statement, with np.sqrt and the usual guard."""
import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    s = np.tanh(s / cap) * cap
    keep = np.ones(s.shape[-2:])
    if causal:
        keep = np.tril(keep, k.shape[-2] - q.shape[-2])
    s = np.where(keep == 1, s, -1e9)
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9) @ v
