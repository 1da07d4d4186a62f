"""Causal rows are worked out one by one into buffers of float32."""
import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(D)
    if causal:
        p = np.zeros(s.shape, dtype=np.float32)
        for i in range(L):
            n = i + S - L + 1
            if n > 0:
                p[..., i, :n] = softmax(s[..., i, :n])
        p = p.astype(s.dtype)
    else:
        p = softmax(s)
    dv = np.swapaxes(p, -1, -2) @ grad_output
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) / np.sqrt(D)
    return ds @ k, np.swapaxes(ds, -1, -2) @ q, dv
