"""Right: numpy.ma carries the causal mask through maximum, exp and sum; filled(0) at the end of each step."""
import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / q.dtype.type(np.sqrt(D))
    ratio = scores.astype(np.float64) / float(cap)
    capped = (np.tanh(ratio) * float(cap)).astype(q.dtype)
    hidden = np.zeros((L, S), dtype=bool)
    if causal:
        hidden = np.subtract.outer(np.arange(L), np.arange(S)) < L - S
    masked = np.ma.array(capped, mask=np.broadcast_to(hidden, capped.shape).copy())
    top = masked.max(axis=-1).filled(0)[..., None] if np.ma.isMA(masked.max(axis=-1)) else masked.max(axis=-1)[..., None]
    e = np.exp(np.where(hidden, -np.inf, capped - top))
    total = e.sum(axis=-1, keepdims=True)
    weights = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return np.matmul(weights, v)
