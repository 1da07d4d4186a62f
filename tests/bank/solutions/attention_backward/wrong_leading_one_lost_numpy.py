# wrong: leading sizes of one, as in shape (1, L, D), are lost from the results
import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    flat = [a.reshape((-1,) + a.shape[-2:]) for a in (q, k, v, grad_output)]
    grads = [np.stack(g) for g in zip(*(_one(*parts, causal) for parts in zip(*flat)))]
    if len(flat[0]) == 1:
        return tuple(g[0] for g in grads)
    return tuple(g.reshape(a.shape) for g, a in zip(grads, (q, k, v)))


def _one(q, k, v, g, causal):
    L, D = q.shape
    S = len(k)
    scale = 1 / float(D) ** 0.5
    s = (q @ k.T) * scale
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    m[np.isinf(m)] = 0
    p = np.exp(s - m)
    total = p.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    p = p / total
    dp = g @ v.T
    ds = p * (dp - (p * dp).sum(axis=-1, keepdims=True)) * scale
    return ds @ k, ds.T @ q, p.T @ g
