"""Gains lose their sign."""
import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    B, H, L, D = q.shape
    rq = np.sqrt((q * q).mean(-1, keepdims=True) + eps)
    rk = np.sqrt((k * k).mean(-1, keepdims=True) + eps)
    gain_q = np.abs(gain_q)
    s = (q / rq * gain_q) @ (k / rk * gain_k).swapaxes(-1, -2) / D**0.5
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
