"""Double precision in and out, but q passes through float32."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    q = q.astype(np.float32).astype(q.dtype)
    B, L, E = q.shape
    H, D, S = num_heads, E // num_heads, k.shape[1]
    if E % H:
        raise ValueError("the width is not divisible by the heads")
    a = (q @ w_q).reshape(B, L, H, D).swapaxes(1, 2)
    b = (k @ w_k).reshape(B, S, H, D).swapaxes(1, 2)
    c = (v @ w_v).reshape(B, S, H, D).swapaxes(1, 2)
    s = a @ b.swapaxes(2, 3) / D**0.5
    seen = np.ones(s.shape, bool) if mask is None else np.broadcast_to(mask, s.shape)
    s = np.where(seen, s, np.finfo(s.dtype).min)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - top) * seen
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, 1)
    return (w @ c).swapaxes(1, 2).reshape(B, L, E) @ w_o
