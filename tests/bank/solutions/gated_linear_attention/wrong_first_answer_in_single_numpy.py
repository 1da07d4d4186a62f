# The first word reads nothing but itself, and does so in float32.
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    n, size = q.shape[2], min(chunk, 64)
    out = np.empty(v.shape, v.dtype)
    memory = np.zeros(q.shape[:2] + (q.shape[3], v.shape[3]), v.dtype)
    for lo in range(0, n, size):
        qs, ks, vs, g = (a[:, :, lo : lo + size] for a in (q, k, v, gates))
        t = np.arange(g.shape[2])
        later = (t[:, None] > t)[:, :, None]
        pairs = np.cumprod(np.where(later, g[:, :, :, None], g.dtype.type(1)), axis=2)
        pairs = pairs * (t[:, None] >= t)[:, :, None]
        reach = np.cumprod(g, axis=2)
        scores = ((qs[:, :, :, None] * pairs) * ks[:, :, None]).sum(-1)
        out[:, :, lo : lo + size] = scores @ vs + (qs * reach) @ memory
        memory = reach[:, :, -1, :, None] * memory + (ks * pairs[:, :, -1]).swapaxes(2, 3) @ vs
    first = [m[:, :, 0].astype(np.float32) for m in (q, k, v)]
    out[:, :, 0] = (first[0] * first[1]).sum(-1, keepdims=True) * first[2]
    return out
