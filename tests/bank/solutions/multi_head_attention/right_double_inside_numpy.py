"""float64 inside and cast back; a constant of each row is added to the scores; the result is a non-contiguous view."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    kind = q.dtype
    q, k, v, w_q, w_k, w_v, w_o = (np.asarray(a, np.float64) for a in (q, k, v, w_q, w_k, w_v, w_o))
    B, L, E = q.shape
    if E % num_heads != 0:
        raise ValueError("num_heads must divide the width")
    D = E // num_heads
    Q = np.stack(np.split(q @ w_q, num_heads, axis=-1), 1)
    K = np.stack(np.split(k @ w_k, num_heads, axis=-1), 1)
    V = np.stack(np.split(v @ w_v, num_heads, axis=-1), 1)
    scores = (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) / np.sqrt(D) + np.arange(L)[:, None]
    visible = np.ones_like(scores, bool) if mask is None else np.broadcast_to(mask, scores.shape)
    top = np.max(scores, axis=-1, keepdims=True, where=visible, initial=-1e300)
    e = np.where(visible, np.exp(np.minimum(scores - top, 0)), 0)
    total = e.sum(-1, keepdims=True)
    w = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    out = np.concatenate(list(np.moveaxis(w @ V, 1, 0)), -1) @ w_o
    return np.asfortranarray(out.astype(kind))
