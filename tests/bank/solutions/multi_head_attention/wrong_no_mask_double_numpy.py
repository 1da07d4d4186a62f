"""Without a mask the additive zero is float64."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("uneven")
    d = E // num_heads
    Q, K, V = ((x @ w).reshape(B, -1, num_heads, d).swapaxes(1, 2) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    s = Q @ K.swapaxes(2, 3) / q.dtype.type(d**0.5)
    if mask is None:
        s = s + np.zeros(s.shape)
        seen = np.ones(s.shape, bool)
    else:
        seen = np.broadcast_to(mask, s.shape)
    s = np.where(seen, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * seen
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, t.dtype.type(1))
    return (w @ V).swapaxes(1, 2).reshape(B, L, E) @ w_o
