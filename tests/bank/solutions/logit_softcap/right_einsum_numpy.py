"""einsum, and tanh from one exponential."""
import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = np.einsum("...ld,...sd->...ls", q, k) * D**-0.5
    t = np.expm1(-2 * np.abs(s) / cap)
    s = -cap * np.sign(s) * t / (t + 2)
    if causal:
        s = np.where(np.arange(S) > np.arange(L)[:, None] + S - L, -np.inf, s)
    top = np.maximum(s.max(-1, keepdims=True), -2 * cap)
    e = np.exp(s - top)
    total = e.sum(-1, keepdims=True)
    return np.einsum("...ls,...sv->...lv", e / np.where(total == 0, 1, total), v)
