# wrong: with causal, scores that are exactly 0 after np.tril count as hidden; a query of zeros sees its keys with score 0 and loses them (its dv and dq become 0)
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    scale = q.shape[-1] ** -0.5
    s = (q @ np.swapaxes(k, -1, -2)) * scale
    if causal:
        s = np.tril(s, k.shape[-2] - q.shape[-2])
        s[s == 0] = -np.inf
    m = s.max(-1, keepdims=True)
    m[np.isinf(m)] = 0
    p = np.exp(s - m)
    z = p.sum(-1, keepdims=True)
    z[z == 0] = 1
    p = p / z
    dp = grad_output @ np.swapaxes(v, -1, -2)
    ds = p * (dp - np.sum(p * dp, -1, keepdims=True))
    dq = ds @ k * scale
    dk = np.swapaxes(ds, -1, -2) @ q * scale
    return dq, dk, np.swapaxes(p, -1, -2) @ grad_output
