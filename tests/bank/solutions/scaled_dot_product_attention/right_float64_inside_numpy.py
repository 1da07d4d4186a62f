"""Everything in float64, cast back at the end."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    kind = q.dtype
    q, k, v = (a.astype(np.float64) for a in (q, k, v))
    if scale is None:
        scale = 1 / np.sqrt(q.shape[-1])
    s = scale * np.matmul(q, np.moveaxis(k, -1, -2))
    s -= s.max(axis=-1)[..., None]
    np.exp(s, out=s)
    s /= s.sum(axis=-1)[..., None]
    return np.matmul(s, v).astype(kind), s.astype(kind)
